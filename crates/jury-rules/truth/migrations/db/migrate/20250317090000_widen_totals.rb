class WidenTotals < ActiveRecord::Migration[7.1]
  def up
    change_column :orders, :total, :bigint
    drop_table :totals_old
  end

  def down
    change_column :orders, :total, :integer
    create_table :totals_old
    remove_column :orders, :cents
  end
end
