class AddFlags < ActiveRecord::Migration[7.1]
  def change
    add_column :invoices, :settled, :boolean
    add_column :invoices, :disputed, :boolean, default: false
  end
end
