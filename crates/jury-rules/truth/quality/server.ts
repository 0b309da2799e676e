import express, { type Request, type Response } from "express";
import { orders, audit } from "./orders";

const app = express();
const api = express.Router();

app.get("/health", async (_req, res) => {
  res.send("ok");
});

api.get("/orders/:id", async (req: Request, res: Response) => {
  const order = await orders.byId(req.params.id);
  if (!order) {
    res.sendStatus(404);
    return;
  }
  res.json(order);
});

api.get("/safe/orders/:id", async (req: Request, res: Response) => {
  try {
    const order = await orders.byId(req.params.id);
    res.json(order);
  } catch (reason) {
    audit.error(reason);
    res.sendStatus(500);
  }
});

app.route("/orders").post(async function create(req, res) {
  const order = await orders.add(req.body);
  res.status(201).json(order);
});

const guarded =
  (handler: (req: Request, res: Response) => Promise<void>) =>
  (req: Request, res: Response, next: (reason: unknown) => void) => {
    handler(req, res).catch(next);
  };

app.put("/orders/:id", guarded(async (req, res) => {
  res.json(await orders.replace(req.params.id, req.body));
}));

export const socketHandler = (event: MessageEvent<string>): void => {
  const message = JSON.parse(event.data);
  audit.info(message.kind);
};

export const socketHandlerSafe = (event: MessageEvent<string>): void => {
  let message: { kind: string };
  try {
    message = JSON.parse(event.data);
  } catch {
    audit.info("not JSON");
    return;
  }
  audit.info(message.kind);
};

export function readSettings(): Record<string, string> {
  const stored = JSON.parse(window.localStorage.getItem("settings") ?? "{}");
  return { theme: "light", ...stored };
}

export function cloneSettings(settings: Record<string, string>): Record<string, string> {
  return JSON.parse(JSON.stringify(settings));
}

export async function store(order: unknown): Promise<void> {
  try {
    await orders.add(order);
  } catch (reason) {
  }
}

export async function storeOrIgnore(order: unknown): Promise<void> {
  try {
    await orders.add(order);
  } catch (reason) {
    // A second attempt of the queue brings it again.
  }
}

export function ping(): void {
  orders.ping().catch(() => {});
}

export function pingLoudly(): void {
  orders.ping().catch((reason) => audit.error(reason));
}
