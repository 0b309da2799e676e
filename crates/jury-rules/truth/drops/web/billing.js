export async function reminder(knex, id) {
  const row = await knex("orders")
    .where({ id })
    .first("placed_at", "invoice_number");
  return `Your order of ${row.placed_at}`;
}
