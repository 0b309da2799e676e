def sail(boat)
  boat.leave
ensure
  boat.tie
  return boat
end
def row(boat)
  boat.leave
  return boat
ensure
  boat.tie
end
