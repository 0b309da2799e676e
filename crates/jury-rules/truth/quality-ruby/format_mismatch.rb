def line(item, price)
  format("%s costs %.2f", item)
end

def row(item, price)
  format("%s costs %.2f", item, price)
end

def pair(left, right)
  "%s/%s" % [left, right, 3]
end

def ratio(left, right)
  "%s/%s" % [left, right]
end
