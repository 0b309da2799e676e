import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("parts").addColumn("size", "integer").execute();
  await sql`COMMENT ON COLUMN parts.size IS 'in millimetres'`.execute(db);
}
