const express = require("express");
const fs = require("node:fs");
const cp = require("node:child_process");
const vm = require("node:vm");
const mailer = require("nodemailer").createTransport(process.env.SMTP);
const { MongoClient } = require("mongodb");
const jsYaml = require("js-yaml");
const logger = require("./logger");

const desk = express();
desk.use(express.json());

desk.post("/signin", (req, res) => {
  const { name, password } = req.body;
  logger.info(`sign-in of ${name} with ${password}`);
  logger.info(`sign-in of ${name} with ${password.length} letters`);
  res.end();
});

function trace(what) {
  console.debug("trace", what);
}

desk.post("/keys", (req, res) => {
  trace(req.body.apiKey);
  console.debug("trace", Boolean(req.body.apiKey));
  res.end();
});

desk.post("/forgotten", async (req, res) => {
  const ticket = await tickets.issue(req.body.mail);
  await mailer.sendMail({
    to: req.body.mail,
    html: `<a href="https://${req.headers.host}/again/${ticket}">again</a>`,
  });
  await mailer.sendMail({
    to: req.body.mail,
    html: `<a href="${process.env.SITE}/again/${ticket}">again</a>`,
  });
  res.end();
});

const sqlText = (text) => text.replace("'", "''");
const sqlTextOfAll = (text) => text.replace(/'/g, "''");

const markup = (text) => text.replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/&/g, "&amp;");
const markupInOrder = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

const inside = (file) => file.replace(/\.\.\//g, "");
const slashes = (file) => file.replace(/\\/g, "/");

function store(tree, way, leaf) {
  const steps = way.split(".");
  const last = steps.pop();
  for (const step of steps) {
    tree = tree[step] || (tree[step] = {});
  }
  tree[last] = leaf;
}

function lookUp(tree, way) {
  for (const step of way.split(".")) {
    tree = tree[step];
  }
  return tree;
}

desk.post("/hook", (req, res) => {
  hooks[req.body.event] = makeHook();
  hooks["on-" + req.body.event] = makeHook();
  res.end();
});

desk.ws("/live", (socket) => {
  socket.on("message", (text) => {
    const order = JSON.parse(text);
    orders[order.kind](order);
  });
  socket.on("other", (text) => {
    const order = JSON.parse(text);
    if (!Object.hasOwn(orders, order.kind)) return;
    orders[order.kind](order);
  });
});

function firstRun(file) {
  if (!fs.existsSync(file)) {
    fs.writeFileSync(file, "{}");
  }
  fs.writeFileSync(file, "{}", { flag: "wx" });
}

exports.handler = async (event) => {
  cp.execFileSync(event.tool, ["--version"]);
  cp.execFileSync("node", ["--version"]);
};

const shellRun = (line) => cp.spawn("/bin/sh", ["-c", line]);
const plainRun = (file) => cp.spawn("/usr/bin/file", [file]);

const fetchRepo = (address) => cp.spawnSync("git", ["clone", address, "repo"]);
const fetchRepoOnly = (address) => cp.spawnSync("git", ["clone", "--", address, "repo"]);

const compute = (text, box) => vm.runInNewContext(text, box);
const computeOne = (box) => vm.runInNewContext("price * 2", box);

desk.get("/tags", async (req, res) => {
  const tags = (await MongoClient.connect(process.env.DB)).db().collection("tags");
  res.json(await tags.count({ name: req.query.name }));
  res.json(await tags.count({ name: String(req.query.name) }));
});

desk.post("/yaml", (req, res) => {
  res.json(jsYaml.load(req.body.text, { schema: jsYaml.DEFAULT_FULL_SCHEMA }));
  res.json(jsYaml.load(req.body.text));
});

desk.get("/sheet/:name", (req, res) => {
  res.render(req.params.name);
});

desk.get("/sheets/:name", (req, res) => {
  res.render("sheet", { name: req.params.name });
});

desk.use("/all", express.static(__dirname));
desk.use("/web", express.static("web"));

const byName = (pool, name) => pool.query("SELECT id FROM desks WHERE name = ".concat(name));
const first = (pool) => pool.query("SELECT id FROM desks".concat(" LIMIT 1"));

const isPartner = (origin) => origin.endsWith("desk-partner.com");
const isPartnerHost = (origin) => new URL(origin).hostname === "desk-partner.com";

module.exports = { desk, sqlText, sqlTextOfAll, markup, markupInOrder, inside, slashes, store, lookUp, firstRun, byName, first };
