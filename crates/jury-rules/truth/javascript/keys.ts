import crypto, { createCipheriv, createHash } from "node:crypto";
import * as jwt from "jsonwebtoken";
import { createPool } from "mysql2";

export const stored = (password: string) => createHash("md5").update(password).digest("hex");
export const stamped = (page: string) => createHash("sha256").update(page).digest("hex");

const MODE = "aes-256-ecb";
export function seal(key: Buffer, text: string) {
  return createCipheriv(MODE, key, null).update(text);
}

export function sealSafe(key: Buffer, text: string) {
  const iv = crypto.randomBytes(12);
  return createCipheriv("aes-256-gcm", key, iv).update(text);
}

export function fixed(key: Buffer) {
  const iv = "0000000000000000";
  return crypto.createCipheriv("aes-256-cbc", key, iv);
}

export function drawn(key: Buffer) {
  const iv = crypto.randomBytes(16);
  return crypto.createCipheriv("aes-256-cbc", key, iv);
}

export const pair = () => crypto.generateKeyPairSync("rsa", { modulusLength: 1024 });
export const pairSafe = () => crypto.generateKeyPairSync("rsa", { modulusLength: 3072 });

export function inviteCode() {
  const inviteToken = Math.random().toString(36).substring(2);
  return inviteToken;
}

export function inviteCodeSafe() {
  const inviteToken = crypto.randomBytes(16).toString("hex");
  return inviteToken;
}

export const issue = (id: string) => jwt.sign({ id }, "not-so-secret", { expiresIn: "1d" });
export const issueSafe = (id: string) => jwt.sign({ id }, process.env.JWT_KEY!, { expiresIn: "1d" });

export const whoami = (token: string) => jwt.verify(token, key(), { algorithms: ["none", "HS256"] });
export const whoamiSafe = (token: string) => jwt.verify(token, key(), { algorithms: ["HS256"] });

export const db = createPool({ host: "db", user: "app", password: "Sommer2024" });
export const dbSafe = createPool({ host: "db", user: "app", password: process.env.DB_PASSWORD });

export function webhook(req, expectedSignature: string) {
  const signature = req.headers["x-signature"];
  return signature === expectedSignature;
}

export function webhookSafe(req, expectedSignature: string) {
  const signature = String(req.headers["x-signature"]);
  if (signature.length !== expectedSignature.length) return false;
  return crypto.timingSafeEqual(Buffer.from(signature), Buffer.from(expectedSignature));
}

export const etag = (body: string) => createHash("md5").update(body).digest("hex");
