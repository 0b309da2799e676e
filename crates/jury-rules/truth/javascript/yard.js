const crypto = require("crypto");
const crossSite = require("@fastify/cors");
const helmet = require("@fastify/helmet");
const { chromium } = require("playwright");

const weigh = (line) =>
  Deno.run({
    cmd: ["sh", "-c", line],
  });
const weighSafe = (file) =>
  Deno.run({
    cmd: ["wc", "-c", file],
  });

const haul = (line) => new Deno.Command("bash", { args: ["-c", line] }).spawn();
const haulSafe = (file) => new Deno.Command("gzip", { args: ["--", file] }).spawn();

const seal = crypto.generateKeySync("hmac", { length: 56 });
const sealSafe = crypto.generateKeySync("hmac", { length: 256 });

function enrol(password) {
  crypto.createHash("sha384").write(password);
}
function enrolSafe(page) {
  crypto.createHash("sha384").write(page);
}

const isOurs = (given) => given.indexOf("yard-partner.com") > -1;
const isOursSafe = (given) => given.indexOf("https://yard-partner.com/") === 0;

app.get("/crates", (req, res) => {
  const wanted = { page: 1, owner: 0 };
  Object.assign(wanted, req.query);
  res.json(find(wanted));
});
app.get("/crates-safe", (req, res) => {
  const wanted = { page: 1, owner: 0 };
  Object.assign(wanted, { page: Number(req.query.page) });
  res.json(find(wanted));
});

server.register(crossSite, { origin: true, credentials: true });
server.register(helmet, { origin: true, credentials: true });

app.post("/look", async (req, res) => {
  const page = await (await chromium.launch()).newPage();
  await page.addInitScript(`window.crate = ${req.body.crate}`);
  await page.evaluate((crate) => show(crate), req.body.crate);
  res.end();
});

app.post("/label", (req, res) => {
  store("<p>Crate ".concat(req.body.crate));
  store("<p>Crate ".concat(escapeHtml(req.body.crate)));
});
