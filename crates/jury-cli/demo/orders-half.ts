import { exec } from "node:child_process";
import type { Database } from "./database";

export async function findOrder(db: Database, id: string) {
  return db.query("SELECT * FROM orders WHERE id = $1", [id]);
}

export function exportOrders(folder: string) {
  exec(`tar czf orders.tar.gz "${folder}"`);
}

export async function readSettings(file: string) {
  try {
    return await loadSettings(file);
  } catch (error) {
    throw new Error(`the settings in ${file} cannot be read`, { cause: error });
  }
}

async function loadSettings(file: string): Promise<unknown> {
  const response = await fetch(file);
  return response.json();
}
