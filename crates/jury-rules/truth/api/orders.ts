import { Router, type NextFunction, type Request, type Response } from "express";
import { orders, log } from "./orders";

export const router = Router();

export async function list(req: Request, res: Response) {
  try {
    res.json({ rows: await orders.all(req.query) });
  } catch (err) {
    log.error(err);
    res.json({ error: "cannot list the orders" });
  }
}

export async function listWell(req: Request, res: Response) {
  try {
    res.json({ error: null, rows: await orders.all(req.query) });
  } catch (err) {
    log.error(err);
    res.status(503).json({ error: "cannot list the orders" });
  }
}

export function find(req: Request, res: Response) {
  const order = orders.byId(req.params.id);
  if (order === undefined) {
    return res.send({ error: `no order ${req.params.id}` });
  }
  return res.send({ order });
}

export function findWell(req: Request, res: Response) {
  const order = orders.byId(req.params.id);
  if (order === undefined) {
    res.statusCode = 404;
    return res.send({ error: `no order ${req.params.id}` });
  }
  return res.send({ order });
}

export async function cancel(req: Request, res: Response, next: NextFunction) {
  const order = orders.byId(req.params.id);
  if (!order) {
    res.status(404).json({ message: "unknown" });
  }
  await orders.cancel(order);
  return res.status(200).json({ cancelled: true });
}

export async function cancelWell(req: Request, res: Response, next: NextFunction) {
  const order = orders.byId(req.params.id);
  if (!order) {
    res.status(404).json({ message: "unknown" });
    return;
  }
  await orders.cancel(order);
  return res.status(200).json({ cancelled: true });
}

export function guard(req: Request, res: Response, next: NextFunction) {
  if (!req.headers.authorization) next(new Error("no token"));
  res.render("account", { id: req.params.id });
}

export function guardWell(req: Request, res: Response, next: NextFunction) {
  if (!req.headers.authorization) return next(new Error("no token"));
  res.render("account", { id: req.params.id });
}

export const ship = async (req: Request, res: Response) => {
  try {
    const label = await orders.label(req.params.id);
    res.type("pdf").send(label);
  } catch (err) {
    log.error("no label", err);
  }
};

export const shipWell = async (req: Request, res: Response) => {
  try {
    const label = await orders.label(req.params.id);
    res.type("pdf").send(label);
  } catch (err) {
    log.error("no label", err);
    res.sendStatus(502);
  }
};

router.post("/orders", async (req, res, next) => {
  try {
    const created = await orders.insert({ sku: req.body.sku, amount: req.body.amount });
    res.status(201).json(created);
  } catch (err) {
    next(err);
  }
});

router.post("/checked/orders", async (req, res, next) => {
  try {
    const body = NewOrder.parse(req.body);
    const created = await orders.insert({ sku: body.sku, amount: body.amount });
    res.status(201).json(created);
  } catch (err) {
    next(err);
  }
});
