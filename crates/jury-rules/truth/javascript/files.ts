import * as fs from "fs";
import { readFile as read, unlink } from "fs/promises";
import path from "node:path";
import AdmZip from "adm-zip";

const ROOT = path.resolve("uploads");

export async function download(req, res) {
  const name = req.params["name"];
  const data = await read(path.join(ROOT, name));
  res.end(data);
}

export async function downloadSafe(req, res) {
  const name = path.basename(req.params["name"]);
  const data = await read(path.join(ROOT, name));
  res.end(data);
}

export async function remove(req, res) {
  const target = path.resolve(ROOT, req.body.file);
  await unlink(target);
  res.end();
}

export async function removeSafe(req, res) {
  const target = path.resolve(ROOT, req.body.file);
  if (!target.startsWith(ROOT + path.sep)) {
    throw new Error("outside");
  }
  await unlink(target);
  res.end();
}

export function stream(req, res) {
  const file = `./media/${req.query.id}.mp4`;
  fs.createReadStream(file).pipe(res);
}

export function streamSafe(req, res) {
  const id = parseInt(req.query.id, 10);
  fs.createReadStream(`./media/${id}.mp4`).pipe(res);
}

export function avatar(req, res) {
  res.sendFile(`${__dirname}/avatars/${req.params.user}`);
}

export function avatarSafe(req, res) {
  res.sendFile(req.params.user, { root: path.join(__dirname, "avatars") });
}

export function unpack(buffer: Buffer, dir: string) {
  new AdmZip(buffer).getEntries().forEach((entry) => {
    fs.writeFileSync(path.join(dir, entry.entryName), entry.getData());
  });
}

export function unpackSafe(buffer: Buffer, dir: string) {
  for (const entry of new AdmZip(buffer).getEntries()) {
    const target = path.resolve(dir, entry.entryName);
    if (!target.startsWith(dir)) continue;
    fs.writeFileSync(target, entry.getData());
  }
}

export function share(file: string) {
  fs.chmodSync(file, 0o777);
}

export function shareSafe(file: string) {
  fs.chmodSync(file, 0o640);
}

export function dump(data: string) {
  fs.writeFileSync("/tmp/dump.json", data);
}

export function dumpSafe(data: string) {
  const folder = fs.mkdtempSync("/tmp/dump-");
  fs.writeFileSync(path.join(folder, "dump.json"), data);
}
