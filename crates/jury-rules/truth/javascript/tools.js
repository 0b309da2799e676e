const cp = require("child_process");
const { execSync, spawn, execFile } = require("node:child_process");
const util = require("util");
const express = require("express");
const app = express();
const execAsync = util.promisify(cp.exec);

app.post("/thumbnail", async (req, res) => {
  const { width, file } = req.body;
  await execAsync(`convert ${file} -resize ${width} out.png`);
  res.end();
});

app.post("/thumbnail2", async (req, res) => {
  const { width, file } = req.body;
  execFile("convert", [file, "-resize", width, "out.png"], () => res.end());
});

app.get("/dns", (req, res) => {
  const host = req.query.host;
  const out = execSync("dig +short " + host);
  res.type("text/plain");
  res.send(out);
});

app.get("/dns2", (req, res) => {
  const host = req.query.host;
  if (!/^[a-z0-9.-]+$/.test(host)) {
    return res.sendStatus(400);
  }
  const out = execSync("dig +short " + host);
  res.type("text/plain").send(out);
});

function archive(name) {
  const args = ["-c", "tar czf /backups/" + name + ".tgz /data"];
  return spawn("bash", args);
}

function archiveSafe(name) {
  return spawn("tar", ["czf", "/backups/" + name + ".tgz", "/data"]);
}

exports.version = () => cp.execSync("git rev-parse HEAD").toString();

const child = cp.exec;
app.get("/who", (req, res) => child("id " + req.headers["x-user"]));

app.get("/run", (req, res) => {
  const formula = req.query.formula ?? "0";
  res.json({ result: eval(formula) });
});

app.get("/run2", (req, res) => {
  const table = { double: (n) => n * 2, half: (n) => n / 2 };
  const action = table[req.query.action];
  res.json({ result: action ? action(2) : eval("40 + 2") });
});

exports.compile = (expression) => new Function("row", `return ${expression}`);
exports.global = () => new Function("return this")();

setInterval("poll('" + queue + "')", 1000);
setInterval(() => poll(queue), 1000);
