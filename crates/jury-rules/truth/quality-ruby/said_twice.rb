MENU = { "tea" => 1, "cake" => 2, "tea" => 3 }
CARD = { "tea" => 1, "cake" => 2, "milk" => 3 }
def cost(cup)
  case cup.size
  when 1
    one
  when 1
    two
  when 2
    three
  end
rescue ArgumentError
  zero
rescue TypeError, ArgumentError
  none
end
class Bar < ApplicationRecord
  enum state: { open: 0, closed: 0 }
  enum door: { front: 0, back: 1 }
  def serve; end
  def serve; end
  def clean; end
end
