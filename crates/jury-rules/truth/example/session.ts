import { createHash } from "node:crypto";
import https from "node:https";
import type { Request, Response } from "express";

export const partner = new https.Agent({
  keepAlive: true,
  rejectUnauthorized: false,
});

export const bank = new https.Agent({
  keepAlive: true,
  rejectUnauthorized: true,
});

export function afterLogin(req: Request, res: Response): void {
  res.redirect(req.query.next as string);
}

export function afterLogout(req: Request, res: Response): void {
  res.redirect(`/goodbye/${encodeURIComponent(String(req.query.from))}`);
}

export function remember(password: string): string {
  return createHash("md5").update(password).digest("hex");
}

export function cacheKey(body: string): string {
  return createHash("md5").update(body).digest("hex");
}
