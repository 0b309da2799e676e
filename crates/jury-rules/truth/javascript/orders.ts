import { Router, Request, Response } from "express";
import mysql from "mysql2/promise";

const pool = mysql.createPool({ host: process.env.DB_HOST });
const router = Router();

router.get("/orders/:id", async (req: Request, res: Response) => {
  const { id } = req.params;
  const [rows] = await pool.execute(
    `SELECT * FROM orders WHERE id = '${id}' AND deleted = 0`,
  );
  res.json(rows);
});

router.get("/orders/safe/:id", async (req: Request, res: Response) => {
  const { id } = req.params;
  const [rows] = await pool.execute(
    "SELECT * FROM orders WHERE id = ? AND deleted = 0",
    [id],
  );
  res.json(rows);
});

router.get("/orders", async (req, res) => {
  let where = "";
  if (req.query?.status) {
    where = " WHERE status = '" + req.query.status + "'";
  }
  const sql = "SELECT id, total FROM orders" + where;
  const [rows] = await pool.query(sql);
  res.json(rows);
});

const SORTS = ["created_at", "total"];

router.get("/orders/sorted", async (req, res) => {
  const sort = String(req.query.sort);
  if (!SORTS.includes(sort)) {
    res.status(400).end();
    return;
  }
  const [rows] = await pool.query("SELECT id FROM orders ORDER BY " + sort);
  res.json(rows);
});

function pageClause(page: number) {
  return " LIMIT 20 OFFSET " + page * 20;
}

router.get("/orders/page", async (req, res) => {
  const page = Number.parseInt(req.query.page as string, 10);
  const [rows] = await pool.query("SELECT id FROM orders" + pageClause(page));
  res.json(rows);
});

function byCustomer(name: string) {
  return "SELECT * FROM orders WHERE customer = '" + name + "'";
}

router.post("/orders/search", async (req, res) => {
  const body = req.body;
  const connection = await pool.getConnection();
  const result = await connection.query(byCustomer(body.customer));
  res.json(result);
});

class OrderRepository {
  private readonly knex;
  constructor(knex) {
    this.knex = knex;
  }
  latest(customer: string) {
    return this.knex.raw(["SELECT * FROM orders WHERE customer = '", customer, "'"].join(""));
  }
  latestSafe(customer: string) {
    return this.knex.raw("SELECT * FROM orders WHERE customer = ?", [customer]);
  }
}

export async function report(db, tenant) {
  const table = "reports";
  await db.run("DELETE FROM " + table + " WHERE stale = 1");
  return db.all("SELECT * FROM " + table + " WHERE tenant = " + tenant);
}
