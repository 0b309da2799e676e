exports.up = function (knex) {
  return knex("orders").where({ state: null }).update({ state: "open" });
};

exports.down = function () {};
