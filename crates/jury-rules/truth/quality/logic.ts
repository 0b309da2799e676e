export function sizes(order: Order, other: Order, rows: Row[], names: string[]) {
  if (order.total === order.total) close();
  if (order.total === other.total) close();
  if (!order instanceof Order) stop();
  if (!(order instanceof Order)) stop();
  if (typeof rows === "array") stop();
  if (typeof rows === "object") stop();
  for (let i = 0; i < rows.length; i--) step(i);
  for (let i = 0; i < rows.length; i++) step(i);
  for (let i = 0; i <= names.length; i++) { print(names[i]); }
  for (let i = 0; i < names.length; i++) { print(names[i]); }
  names.concat(more);
  names = names.concat(more);
  const numbers = names.map(parseInt);
  const others = names.map(Number);
  const plain = name.replace("/[^a-z]/g", "");
  const clean = name.replace(/[^a-z]/g, "");
  if (names.findIndex((it) => it === name)) greet(name);
  if (names.includes(name)) greet(name);
  const width = isWide ? 40 : 40;
  const height = isTall ? 40 : 20;
  const on = new Boolean(text);
  const off = Boolean(text);
  const high = word << 40;
  const low = word << 4;
  if (rows.length >= 0) show(rows);
  if (rows.length > 0) show(rows);
  const large = rows.filter((row) => { row.size > 5; });
  const small = rows.filter((row) => { return row.size < 5; });
  log.info("saved ${order.total}");
  log.info(`saved ${order.total}`);
  debugger;
  start("debugger");
}

export function kinds(kind: string, size: number) {
  switch (kind) {
    case "gull": fly(); break;
    case "crab": walk(); break;
    case "gull": swim(); break;
  }
  if (size > 9) large();
  else if (size > 9) huge();
  if (size > 7) large();
  else if (size > 5) small();
  size = size;
  size = weigh(size);
  return size;
  log(size);
}
export const last = (size: number) => {
  log(size);
  return size;
};
