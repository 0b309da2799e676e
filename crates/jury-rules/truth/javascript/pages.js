const express = require("express");
const escapeHtml = require("escape-html");
const ejs = require("ejs");
const router = express.Router();

router.get("/greet", (req, res) => {
  const name = req.query.name || "you";
  res.send(`<h1>Hello ${name}</h1>`);
});

router.get("/greet2", (req, res) => {
  const name = req.query.name || "you";
  res.send(`<h1>Hello ${escapeHtml(name)}</h1>`);
});

router.get("/missing", function (req, res) {
  res.status(404).send("No page " + decodeURIComponent(req.path));
});

router.get("/missing2", function (req, res) {
  res.status(404).json({ message: "No page " + req.path });
});

router.get("/login", (req, res) => {
  const back = req.query.back;
  return res.redirect(back);
});

router.get("/login2", (req, res) => {
  const back = encodeURIComponent(req.query.back);
  return res.redirect("/session?back=" + back);
});

router.get("/logout", (req, res) => {
  res.writeHead(302, { Location: req.query.to });
  res.end();
});

router.get("/logout2", (req, res) => {
  res.writeHead(302, { Location: "/" });
  res.end();
});

router.post("/preview", (req, res) => {
  const html = ejs.render(req.body.template, { user: req.user });
  res.json({ html });
});

router.post("/preview2", (req, res) => {
  const html = ejs.render("<p><%= text %></p>", { text: req.body.text });
  res.json({ html });
});

router.post("/session", (req, res) => {
  res.cookie("sessionToken", issue(req.user));
  res.end();
});

router.post("/session2", (req, res) => {
  res.cookie("sessionToken", issue(req.user), { httpOnly: true, secure: true });
  res.end();
});

router.use((req, res, next) => {
  const origin = req.get("origin");
  res.set("Access-Control-Allow-Origin", origin);
  res.set("Access-Control-Allow-Credentials", "true");
  next();
});

const ORIGINS = new Set(["https://app.example.com"]);
router.use((req, res, next) => {
  const origin = req.get("origin");
  if (ORIGINS.has(origin)) {
    res.set("Access-Control-Allow-Origin", origin);
  }
  next();
});
