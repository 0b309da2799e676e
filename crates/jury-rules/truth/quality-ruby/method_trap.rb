class Vehicle
  def initialize(wheels)
    @wheels = wheels
  end
end

class Truck < Vehicle
  def initialize(load)
    @load = load
  end
end

class Bike < Vehicle
  def initialize(gears)
    super(2)
    @gears = gears
  end
end

def first_wheel(list)
  list.each do |wheel|
    inspect_wheel(wheel)
    break
  end
end

def good_wheel(list)
  list.each do |wheel|
    inspect_wheel(wheel)
    break if wheel.round?
  end
end
