class Safe
  def self.open
    1
  end
  private
  def self.crack
    2
  end
end
