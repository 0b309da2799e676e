const ciphers = require("crypto");
const files = require("fs");
const web = require("https");
const system = require("os");
const paths = require("path");
const express = require("express");
const bunyan = require("bunyan");
const { decodeJwt, jwtVerify } = require("jose");
const { ApolloServer } = require("@apollo/server");
const nodemailer = require("nodemailer");

const app = express();
const journal = bunyan.createLogger({ name: "workshop" });
const ROOT = paths.resolve("plans");
const bench = {};

app.get("/plans", ({ query }, res) => {
  res.sendFile(paths.join(ROOT, query.plan));
});

const staysIn = (root, file) => {
  const rest = paths.relative(root, file);
  if (rest.startsWith("..")) return false;
  return !paths.isAbsolute(rest);
};

app.get("/plans/checked", ({ query }, res) => {
  const file = paths.resolve(ROOT, query.plan);
  if (!staysIn(ROOT, file)) return res.sendStatus(404);
  res.sendFile(file);
});

app.put("/bench/:row/:slot", (req, res) => {
  const { row, slot } = req.params;
  bench[row][slot] = req.body.tool;
  res.end();
});

app.put("/bench/known/:row/:slot", (req, res) => {
  const { row, slot } = req.params;
  if (!["left", "right"].includes(row)) return res.sendStatus(400);
  bench[row][slot] = req.body.tool;
  res.end();
});

function blend(into, given) {
  for (const part in given) {
    if (given[part] && typeof given[part] === "object") {
      into[part] ??= {};
      blend(into[part], given[part]);
    } else {
      into[part] = given[part];
    }
  }
  return into;
}

function blendOwn(into, given) {
  for (const part of Object.keys(given)) {
    if (part === "__proto__") continue;
    if (given[part] && typeof given[part] === "object") {
      into[part] ??= {};
      blendOwn(into[part], given[part]);
    } else {
      into[part] = given[part];
    }
  }
  return into;
}

app.post("/tools", (req, res) => {
  blend(bench, req.body);
  blendOwn(bench, req.body);
  journal.info("new tool " + req.body.name);
  journal.info({ name: req.body.name }, "new tool");
  res.end();
});

app.get("/owner", (req, res) => {
  const claims = decodeJwt(req.get("x-token"));
  res.json({ owner: claims.sub });
});

app.get("/owner/checked", async (req, res, next) => {
  try {
    const { payload } = await jwtVerify(req.get("x-token"), KEYS, { algorithms: ["EdDSA"] });
    res.json({ owner: payload.sub });
  } catch (error) {
    next(error);
  }
});

app.post("/hook", express.raw(), (req, res) => {
  const right = ciphers.createHmac("sha256", process.env.HOOK_KEY).update(req.body).digest("base64");
  if (req.get("x-workshop-hmac") !== right) return res.sendStatus(403);
  res.end();
});

app.post("/hook/steady", express.raw(), (req, res) => {
  const right = ciphers.createHmac("sha256", process.env.HOOK_KEY).update(req.body).digest();
  const given = Buffer.from(req.get("x-workshop-hmac") ?? "", "base64");
  if (given.length !== right.length || !ciphers.timingSafeEqual(given, right)) return res.sendStatus(403);
  res.end();
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: "failed", where: err.stack });
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: "failed", where: process.env.NODE_ENV === "test" ? err.stack : undefined });
});

exports.graph = new ApolloServer({
  typeDefs,
  csrfPrevention: false,
});

exports.graphGuarded = new ApolloServer({
  typeDefs,
  csrfPrevention: true,
});

exports.lax = new web.Agent({
  keepAlive: true,
  minVersion: "TLSv1",
});

exports.strict = new web.Agent({
  keepAlive: true,
  minVersion: "TLSv1.3",
});

exports.anyHost = new web.Agent({
  keepAlive: true,
  checkServerIdentity: () => undefined,
});

exports.ownHost = new web.Agent({
  keepAlive: true,
  checkServerIdentity: (host, cert) => tls.checkServerIdentity(host, cert),
});

exports.stretch = (word, salt) => ciphers.pbkdf2Sync(word, salt, 2000, 32, "sha256");
exports.stretchMore = (word, salt) => ciphers.pbkdf2Sync(word, salt, 700000, 32, "sha256");

exports.lock = (key) => ciphers.createCipheriv("aes-128-cbc", key, Buffer.alloc(16));
exports.lockFresh = (key) => ciphers.createCipheriv("aes-128-cbc", key, ciphers.randomBytes(16));

exports.makeVisitorToken = () => Math.random().toString(16).slice(2);
exports.makeVisitorColour = () => COLOURS[Math.floor(Math.random() * COLOURS.length)];

exports.note = (text) => {
  files.writeFileSync(paths.join(system.tmpdir(), "workshop-note.txt"), text);
};

exports.noteAside = (text) => {
  const folder = files.mkdtempSync(paths.join(system.tmpdir(), "workshop-"));
  files.writeFileSync(paths.join(folder, "note.txt"), text);
};

exports.post = nodemailer.createTransport({
  host: "post.example.net",
  auth: {
    user: "workshop",
    pass: "Anv1l-and-tongs",
  },
});

exports.postLater = nodemailer.createTransport({
  host: "post.example.net",
  auth: {
    user: "workshop",
    pass: process.env.POST_PASSWORD,
  },
});

exports.isOrder = (text) => /^(?:[a-z]+,?)+$/.test(text);
exports.isOrderList = (text) => /^[a-z]+(?:,[a-z]+)*$/.test(text);
