exports.up = async function (knex) {
  await knex.schema.table("orders", (table) => {
    table.dropColumn("invoice_number");
  });
  await knex.schema.alterTable("orders", (table) => table.dropColumn("placed_by"));
};

exports.down = async function (knex) {
  await knex.schema.table("orders", (table) => {
    table.string("invoice_number");
    table.string("placed_by");
  });
};
