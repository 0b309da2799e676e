export type Shape = "circle" | "square" | "triangle";

export type Command =
  | { type: "move"; by: number }
  | { type: "turn"; degrees: number }
  | { type: "stop" };

export enum Level {
  Debug,
  Info,
  Error,
}

export function sides(shape: Shape): number {
  switch (shape) {
    case "square":
      return 4;
    case "triangle":
      return 3;
  }
}

export function corners(shape: Shape): number {
  switch (shape) {
    case "circle":
      return 0;
    case "square":
      return 4;
    case "triangle":
      return 3;
  }
}

export const cost = (command: Command): number => {
  switch (command.type) {
    case "move":
      return Math.abs(command.by);
    case "stop": {
      return 0;
    }
  }
};

export const costOrNone = (command: Command): number => {
  switch (command.type) {
    case "move":
      return Math.abs(command.by);
    default:
      return 0;
  }
};

export function label(level: Level): string {
  switch (level) {
    case Level.Debug:
      return "debug";
    case Level.Info:
      return "info";
  }
}

export function colour(level: Level): string {
  switch (level) {
    case Level.Error:
      return "red";
  }
  return "grey";
}

export function weight(shape: Shape): number {
  let total = 0;
  switch (shape) {
    case "circle":
      total += 2;
    case "square":
      total += 1;
      break;
    default:
      total = 0;
  }
  return total;
}

export function weightOnce(shape: Shape): number {
  let total = 0;
  switch (shape) {
    case "circle":
      total += 2;
      break;
    case "square":
      total += 1;
      break;
    default:
      total = 0;
  }
  return total;
}
