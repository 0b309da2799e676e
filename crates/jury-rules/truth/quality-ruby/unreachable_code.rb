def climb(ladder)
  ladder.each do |step|
    break
    step.fix
  end
  ladder.each do |step|
    step.fix
    break
  end
  raise "no ladder"
  ladder.fold
end
