const { readFile, writeFile } = require("./files");

async function readRows(name) {
  const text = await readFile(name);
  return text.split("\n").map((line) => line.split(";"));
}

function importAll(names, sink) {
  names.forEach(async (name) => {
    const rows = await readRows(name);
    sink.push(...rows);
  });
  return sink;
}

async function importAllInTurn(names, sink) {
  for (const name of names) {
    const rows = await readRows(name);
    sink.push(...rows);
  }
  return sink;
}

function copyAll(names) {
  names.map(async (name) => {
    await writeFile(`${name}.copy`, await readFile(name));
  });
}

function copyAllAndWait(names) {
  return Promise.all(names.map(async (name) => {
    await writeFile(`${name}.copy`, await readFile(name));
  }));
}

async function header(name) {
  return readRows(name)[0];
}

async function width(name) {
  const rows = readRows(name);
  return rows.length;
}

async function widthAwaited(name) {
  const rows = await readRows(name);
  return rows.length;
}

function schedule(name) {
  readRows(name);
}

async function scheduleAndWait(name) {
  await readRows(name);
}

function parseAmount(text) {
  const amount = Number.parseFloat(text);
  if (amount === NaN) {
    return 0;
  }
  return amount;
}

function parseAmountWell(text) {
  const amount = Number.parseFloat(text);
  if (Number.isNaN(amount)) {
    return 0;
  }
  return amount;
}

function widest(rows) {
  const widths = rows.map((row) => row.length);
  widths.sort();
  return widths[widths.length - 1];
}

function widestByNumber(rows) {
  const widths = rows.map((row) => row.length);
  widths.sort((a, b) => a - b);
  return widths[widths.length - 1];
}

function isBlank(row) {
  return row === [];
}

function isBlankByLength(row) {
  return row.length === 0;
}

function dropFirst(text) {
  const parts = [text, text.trim()];
  delete parts[0];
  return parts;
}

function dropName(record) {
  const copy = { ...record };
  delete copy[record.key];
  return copy;
}

function release(handle) {
  try {
    handle.flush();
  } finally {
    return handle.close();
  }
}

function releaseWell(handle) {
  try {
    return handle.flush();
  } finally {
    handle.close();
  }
}

function pick(mode, options) {
  if (mode = options.fallback) {
    return options[mode];
  }
  return options.main;
}

function pickWell(mode, options) {
  if (mode === options.fallback) {
    return options[mode];
  }
  return options.main;
}

module.exports = { importAll, importAllInTurn, copyAll, copyAllAndWait, header, width, widthAwaited, schedule };
