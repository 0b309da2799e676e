const axios = require("axios");
const { JSDOM } = require("jsdom");
const { createProxyMiddleware } = require("http-proxy-middleware");
const express = require("express");
const fs = require("fs-extra");
const send = require("send");
const superagent = require("superagent");
const unzipper = require("unzipper");
const path = require("path");
const crypto = require("crypto");
const https = require("https");
const basicAuth = require("express-basic-auth");
const neo4j = require("neo4j-driver");
const { QueryCommand } = require("@aws-sdk/lib-dynamodb");
const mixin = require("mixin-deep");
const { MongoClient } = require("mongodb");
const aes = require("crypto-js/aes");
const jose = require("jose");
const helmet = require("helmet");
const app = express();

app.get("/berths/preview", async (req, res) => {
  const dom = await JSDOM.fromURL(req.query.page);
  res.json(dom.window.document.title);
});
app.get("/berths/known", async (req, res) => {
  const dom = await JSDOM.fromURL("https://harbour.example/berths");
  res.json(dom.window.document.title);
});
app.get("/berths/node", (req, res) => {
  https.get("/state", { host: req.query.node }, (answer) => answer.pipe(res));
});
app.get("/berths/own-node", (req, res) => {
  https.get("/state", { host: "node.harbour.example" }, (answer) => answer.pipe(res));
});
app.use("/relay", (req, res, next) => createProxyMiddleware({ target: req.query.to })(req, res, next));
app.use("/fixed", createProxyMiddleware({ target: "https://tides.harbour.example" }));

app.put("/logbook", async (req, res) => {
  await fs.outputJson("logbook/" + req.query.ship, req.body);
  res.end();
});
app.put("/logbook/safe", async (req, res) => {
  await fs.outputJson("logbook/" + path.basename(req.query.ship), req.body);
  res.end();
});
app.get("/charts", (req, res) => {
  send(req, req.query.chart).pipe(res);
});
app.get("/charts/safe", (req, res) => {
  send(req, req.query.chart, { root: "/srv/charts" }).pipe(res);
});
exports.unpack = (source) => source.pipe(unzipper.Parse()).on("entry", (entry) => {
  const out = fs.openSync(entry.path, "w");
  entry.on("data", (part) => fs.writeSync(out, part));
});
exports.unpackFlat = (source) => source.pipe(unzipper.Parse()).on("entry", (entry) => {
  const out = fs.openSync(path.join("flat", path.basename(entry.path)), "w");
  entry.on("data", (part) => fs.writeSync(out, part));
});

app.use(basicAuth({ users: { pilot: "north-star-77" } }));
app.use(basicAuth({ users: { pilot: process.env.PILOT_PASSWORD } }));
superagent.get("https://tides.example/now").auth("harbour", "north-star-77");
superagent.get("https://tides.example/now").auth("harbour", process.env.TIDES_PASSWORD);
exports.close = (note) => aes.encrypt(note, "north-star-77");
exports.closeSafe = (note, key) => aes.encrypt(note, key);

exports.ships = (session, name) => session.run(`MATCH (s:Ship {name: "${name}"}) RETURN s`);
exports.shipsSafe = (session, name) => session.run("MATCH (s:Ship {name: $name}) RETURN s", { name });

exports.handler = async (event, context) => {
  const found = await store.send(new QueryCommand(event.body.search));
  return found.Items;
};
exports.fixedHandler = async (event, context) => {
  const found = await store.send(new QueryCommand({ TableName: "ships", KeyConditionExpression: "id = :id", ExpressionAttributeValues: { ":id": event.body.id } }));
  return found.Items;
};

app.post("/prefs", (req, res) => {
  mixin(prefs, req.body);
  res.end();
});
app.post("/prefs/safe", (req, res) => {
  mixin(prefs, { colour: String(req.body.colour) });
  res.end();
});

const loose = new MongoClient(address, { tlsAllowInvalidCertificates: true });
const strict = new MongoClient(address, { tls: true, tlsCAFile: "ca.pem" });
const looseAgent = new https.Agent({ rejectUnauthorized: !1 });
const strictAgent = new https.Agent({ rejectUnauthorized: !0 });

exports.keep = (password) => crypto.createHash("sha512").update(password).digest("hex");
exports.keepSafe = (password, salt) => crypto.scryptSync(password, salt, 64);
exports.seal = (key, note) => crypto.publicEncrypt({ key, padding: crypto.constants.RSA_PKCS1_PADDING }, note);
exports.sealSafe = (key, note) => crypto.publicEncrypt({ key, padding: crypto.constants.RSA_PKCS1_OAEP_PADDING }, note);
exports.pair = () => crypto.createECDH("secp128r1");
exports.pairSafe = () => crypto.createECDH("secp384r1");
exports.claims = (token) => jose.UnsecuredJWT.decode(token).payload;
exports.claimsSafe = async (token, key) => (await jose.jwtVerify(token, key)).payload;

app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'", "'unsafe-eval'"] } } }));
app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'"] } } }));

app.delete("/ships/:id", (req, res) => {
  if (req.headers["x-role"] === "admin") remove(req.params.id);
  res.end();
});
app.delete("/boats/:id", (req, res) => {
  if (req.user.role === "admin") remove(req.params.id);
  res.end();
});
app.get("/find", (req, res) => {
  const name = req.query.name;
  if (name.includes("..")) return res.status(400).end();
  res.json(find(name));
});
app.get("/find/safe", (req, res) => {
  const name = req.query.name;
  if (typeof name !== "string") return res.status(400).end();
  if (name.includes("..")) return res.status(400).end();
  res.json(find(name));
});
async function login(req, res) {
  req.session.userId = (await check(req.body)).id;
  res.redirect("/");
}
async function signIn(req, res) {
  const { id } = await check(req.body);
  req.session.regenerate(() => {
    req.session.userId = id;
    res.redirect("/");
  });
}

const own = (host, zone) => host.indexOf(zone) === host.length - zone.length;
const ownSafe = (host, zone) => host.endsWith(zone);
const letters = /^[A-z]+$/;
const lettersSafe = /^[A-Za-z]+$/;
const strip = (page) => page.replace(/<script.*?>.*?<\/script>/gi, "");
const stripSafe = (page) => clean(page);
const slow = /^(?:\s*\w+\s*)*;$/;
const quick = /^(?:\w+,)*;$/;
const slowList = /^(?:[^,]+|,\s*[^,]*)*!$/;
const quickList = /^[^,]+(?:,[^,]+)*!$/;
exports.wide = (page) => page.replace(/<(([a-z]+)[^>]*)\/>/gi, "<$1></$2>");
exports.bold = (text) => text.replace(/\*([a-z]+)\*/gi, "$1");
exports.first = (line) => line.replace("|", "");
exports.every = (line) => line.replaceAll("|", "");
const pack = (size) => new Buffer(size);
const packSafe = (size) => Buffer.alloc(size);
const note = () => fs.writeFileSync("/tmp/harbour/last-note.txt", text);
const noteSafe = () => fs.writeFileSync("/tmp/harbour/last-note.txt", text, { mode: 0o600, flag: "wx" });
const calm = () => axios.get("http://tides.example.com/now");
const calmSafe = () => axios.get("https://tides.example.com/now");
