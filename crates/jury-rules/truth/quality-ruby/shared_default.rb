BOOKS = Hash.new({})
TITLES = Hash.new { |all, key| all[key] = {} }
ROWS = Array.new(8, Array.new(8))
COLS = Array.new(8) { Array.new(8) }
def shelve(book = book)
  book
end
def lend(book = nil)
  book
end
