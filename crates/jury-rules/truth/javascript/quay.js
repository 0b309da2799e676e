const { exec, execFile } = require("child_process");
const fs = require("fs");
const path = require("path");
const JSZip = require("jszip");

io.on("connection", (socket) => {
  socket.on("ping", (data) => exec("ping -c 1 " + data));
  socket.on("ping-safe", (data) => execFile("ping", ["-c", "1", "--", data]));
});

exports.unpack = (box = new JSZip()) => {
  const crate = new JSZip();
  crate.forEach((name, file) => file.nodeStream().pipe(fs.createWriteStream(name)));
  crate.forEach((name, file) => file.nodeStream().pipe(fs.createWriteStream(path.basename(name))));
};

app.post("/crates", (req, res) => {
  for (let i = 0; i < req.body.crates.length; i++) lift(req.body.crates[i]);
  res.end();
});
app.post("/crates-safe", (req, res) => {
  const { crates } = req.body;
  if (!Array.isArray(crates)) return res.status(400).end();
  for (let i = 0; i < crates.length; i++) lift(crates[i]);
  res.end();
});
