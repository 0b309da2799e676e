class TrimCustomers < ActiveRecord::Migration[7.1]
  def change
    remove_column :customers, :fax, :string
    remove_column :offices, :fax, :string
  end
end
