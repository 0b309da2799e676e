const express = require("express");
const { Comment } = require("./models");
const app = express();

app.post("/comments", async function (req, res, next) {
  try {
    const { text, author } = req.body;
    const comment = await Comment.create({ text, author, at: Date.now() });
    res.status(201).json(comment);
  } catch (e) {
    next(e);
  }
});

app.post("/checked", requireFields("text", "author"), checkBody, async function (req, res, next) {
  try {
    const { text, author } = req.body;
    const comment = await Comment.create({ text, author, at: Date.now() });
    res.status(201).json(comment);
  } catch (e) {
    next(e);
  }
});

app.delete("/comments/:id", function (req, res) {
  Comment.destroy({ where: { id: req.params.id } });
  res.sendStatus(202);
  res.json({ deleted: req.params.id });
});

app.delete("/well/:id", function (req, res) {
  Comment.destroy({ where: { id: req.params.id } });
  res.status(202);
  res.json({ deleted: req.params.id });
});

exports.show = async (req, res) => {
  try {
    res.render("comment", { comment: await Comment.findByPk(req.params.id) });
  } catch (e) {
    console.error(e);
  }
};

exports.showWell = async (req, res, next) => {
  try {
    res.render("comment", { comment: await Comment.findByPk(req.params.id) });
  } catch (e) {
    console.error(e);
    next(e);
  }
};
