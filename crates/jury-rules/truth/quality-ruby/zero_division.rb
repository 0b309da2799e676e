def mean(sum)
  sum / 0
end

def half(sum)
  sum / 2
end
