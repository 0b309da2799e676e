def route(parcel, other)
  if parcel.size = "small"
    return 1
  end
  if parcel.size == "small"
    return 1
  end
  return 2 if parcel.weight >= parcel.weight
  return 2 if parcel.weight >= other.weight
  return 3 unless parcel.tags.size >= 0
  rand(1)
  rand(10)
end
