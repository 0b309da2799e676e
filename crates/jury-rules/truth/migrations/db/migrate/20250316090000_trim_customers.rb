class TrimCustomers < ActiveRecord::Migration[7.1]
  def change
    add_column :customers, :locale, :string, null: false
    add_column :customers, :zone, :string, null: false, default: "UTC"
    remove_column :customers, :fax, :string
    remove_index :customers, :name
    execute("UPDATE customers SET locale = 'en' WHERE locale IS NULL")
    change_column_default :customers, :zone, from: "CET", to: "UTC"
  end
end
