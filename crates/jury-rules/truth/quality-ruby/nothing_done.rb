class Order
  def initialize(total)
    @total = @total
    @count = total
  end

  def label
    note.to_s || "empty"
  end

  def caption
    note || "empty"
  end

  def ship(address)
    address = default_address
    send_to(address)
  end

  def bill(address)
    address = address.strip
    send_to(address)
  end
end
