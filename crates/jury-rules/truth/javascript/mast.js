const express = require("express");
const Hapi = require("@hapi/hapi");
const path = require("path");
const { MongoClient } = require("mongodb");
const mysql = require("mysql2");

const app = express();
const pool = mysql.createPool(process.env.DATABASE_URL);

app.post("/sails", async (req, res) => {
  const sails = new MongoClient(process.env.MONGO_URL).db("rig").collection("sails");
  const { cloth } = req.body;
  await sails.deleteOne({ cloth });
  await sails.deleteOne({ cloth: `${cloth}` });
  if (typeof cloth === "string") {
    await sails.updateOne({ cloth: JSON.parse(cloth) }, { $set: { dry: true } });
    await sails.updateOne({ cloth: cloth.trim() }, { $set: { dry: true } });
  }
  res.end();
});

app.get("/knots", (req, res) => {
  const some = req.query.like.replace(/[.?]/g, "\\$&");
  const all = req.query.like.replace(/[-/\\^$*+?.()|[\]{}]/g, "\\$&");
  res.json({
    some: knots.filter((knot) => new RegExp(some).test(knot)),
    all: knots.filter((knot) => new RegExp(all).test(knot)),
  });
});

const fromYard = (given) => given.indexOf("mast-yard.org") >= 0;
const endsInYard = (given) =>
  given.lastIndexOf("mast-yard.org") > -1 && given.lastIndexOf("mast-yard.org") === given.length - 13;

app.get("/ropes", (req, res) => {
  pool.execute(
    {
      rowsAsArray: true,
      sql: `SELECT * FROM ropes WHERE maker = '${req.query.maker}'`,
    },
    (error, rows) => res.json(rows),
  );
  pool.execute(
    {
      rowsAsArray: true,
      sql: "SELECT * FROM ropes WHERE maker = ?",
      values: [req.query.maker],
    },
    (error, rows) => res.json(rows),
  );
});

app.get("/plans/:ship", (req, res) => {
  res.download("plan.pdf", { root: path.join("plans", req.params.ship) });
});
app.get("/plan/:sheet", (req, res) => {
  res.download(req.params.sheet, { root: path.join(__dirname, "plans") });
});

app.put("/rig/:mast", (req, res) => {
  const mast = req.params.mast;
  rig[mast].raised = true;
  if (Object.prototype.hasOwnProperty.call(rig, mast)) {
    rig[mast].raised = true;
  }
  res.end();
});

app.get("/dock", (req, res) => {
  const name = req.query.name;
  res.sendFile(name);
  if (!path.resolve("/srv/dock", name).startsWith("/srv/dock/")) return res.sendStatus(404);
  res.sendFile(path.resolve("/srv/dock", name));
});

const server = Hapi.server({ port: 8080 });
server.route({
  method: "GET",
  path: "/flag",
  handler: (request) => {
    return `Hoisted: ${request.query.flag}`;
  },
});
server.route({
  method: "GET",
  path: "/flags",
  handler: (request) => {
    return { hoisted: request.query.flag };
  },
});

window.addEventListener("message", (note) => {
  const fromOrigin = note.origin.toUpperCase();
  console.info("a note from", fromOrigin);
  hoist(note.data);
});
window.addEventListener("message", (note) => {
  const fromOrigin = note.origin.toUpperCase();
  console.info("a note from", fromOrigin);
  if (fromOrigin === "HTTPS://MAST.EXAMPLE.ORG") hoist(note.data);
});
