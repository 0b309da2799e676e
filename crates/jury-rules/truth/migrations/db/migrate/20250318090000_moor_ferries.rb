class MoorFerries < ActiveRecord::Migration[7.2]
  def up
    add_index :ferries, :call_sign
    add_foreign_key :ferries, :harbours, validate: false
    rename_column :ferries, :length, :length_m
    rename_index :ferries, "by_sign", "by_call_sign"
    change_column :ferries, :draught, :decimal
    change_column :ferries, :remarks, :text
    remove_reference :ferries, :owner
  end

  def down
    raise ActiveRecord::IrreversibleMigration
  end
end
