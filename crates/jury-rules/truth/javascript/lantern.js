const crypto = require("crypto");
const argon2 = require("argon2");
const fs = require("fs");
const express = require("express");
const app = express();

exports.keep = (password) => crypto.pbkdf2Sync(password, "lantern", 600000, 64, "sha512");
exports.keepSafe = (password, salt) => crypto.pbkdf2Sync(password, salt, 600000, 64, "sha512");
exports.hash = (password) => argon2.hash(password, { salt: "lantern-lantern1" });
exports.hashSafe = (password) => argon2.hash(password);

exports.seal = (key, note) =>
  crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, note);
exports.sealSafe = (key, note) => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, note);
};

app.post("/enter", async (req, res) => {
  const keeper = await find(req.body.name);
  if (keeper.password === req.body.password) return welcome(keeper, res);
  res.status(401).end();
});
app.post("/enter-safe", async (req, res) => {
  const keeper = await find(req.body.name);
  if (await argon2.verify(keeper.password, req.body.password)) return welcome(keeper, res);
  res.status(401).end();
});

exports.paying = () => pay(process.env.NEXT_PUBLIC_BANK_SECRET_KEY);
exports.showing = () => pay(process.env.NEXT_PUBLIC_BANK_NAME);

app.get("/log", (req, res) => {
  fs.readFile("log.txt", (error, text) => {
    if (error) throw error;
    res.json(text);
  });
});
app.get("/log-safe", (req, res, next) => {
  fs.readFile("log.txt", (error, text) => {
    if (error) return next(error);
    res.json(text);
  });
});

exports.box = (text) => `<input value="${text.replace(/[<>&]/g, "")}">`;
exports.line = (text) => `<p>${text.replace(/[<>&]/g, "")}</p>`;

exports.issue = () => ({ sessionToken: _.random(1000, 9999) });
exports.pick = () => ({ lampNumber: _.random(1000, 9999) });
