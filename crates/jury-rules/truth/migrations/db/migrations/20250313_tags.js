exports.up = function (knex) {
  return knex.schema.createTable("tags", (table) => table.increments());
};

exports.down = function (knex) {
  return knex.schema.dropTable("tags");
};
