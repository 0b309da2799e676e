class MakeCrews < ActiveRecord::Migration[7.2]
  def change
    create_table :crews, force: true do |t|
      t.string :name
    end
    create_table :watches do |t|
      t.string :name
    end
    add_index :watches, :name
  end
end
