def heaviest(crates)
  crates.reduce(0) do |top, one|
    next if one.empty?
    [top, one.weight].max
  end
end
def lightest(crates)
  crates.reduce(9) do |low, one|
    next low if one.empty?
    [low, one.weight].min
  end
end
