export function fire(glaze, shelf, pots) {
  if (!shelf) {
    new TypeError("no shelf");
  }
  if (!pots) {
    throw new TypeError("no pots");
  }
  if (glaze === null && glaze.colour) {
    return 0;
  }
  if (glaze !== null && glaze.colour) {
    return 1;
  }
  pots.slice(1);
  const rest = pots.slice(1);
  let heat;
  heat = warm(shelf);
  heat = glow(shelf);
  note(heat);
  heat = glow(rest);
  if (heat >= heat) {
    return 2;
  }
  const most = 10 ^ 3;
  const least = 10 ** 3;
  return heat > most || heat < least;
}

export class Kiln {
  get door() {
    if (this.open) {
      return "open";
    }
  }

  get lid() {
    return this.open ? "up" : "down";
  }

  set door(state) {
    return state;
  }

  set lid(state) {
    this.open = state === "up";
  }

  then() {
    return this.lid;
  }

  next() {
    return this.lid;
  }

  cool(now) {
    if (now) {
      return 1;
    } else {
      return 2;
    }
    this.open = true;
  }

  load(clay) {
    return { door: this.door, clay, door: this.lid };
  }

  unload(clay) {
    return { door: this.door, clay, lid: this.lid };
  }

  idle(watts) {
    return watts === -0;
  }

  off(watts) {
    return watts === 0;
  }

  vent() {
    this.fan().catch();
    this.fan().catch((jam) => note(jam));
  }
}
