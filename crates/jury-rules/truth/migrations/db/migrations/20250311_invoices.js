exports.up = async function (knex) {
  await knex.schema.createTable("invoices", (table) => {
    table.increments("id");
    table.integer("order_id").notNullable();
  });
  await knex.schema.table("orders", (table) => {
    table.dropColumn("invoice_number");
  });
};

exports.down = async function (knex) {
  await knex.schema.table("orders", (table) => {
    table.string("invoice_number");
  });
  await knex.schema.dropTable("invoices");
};
