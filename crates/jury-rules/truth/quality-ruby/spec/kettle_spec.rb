RSpec.describe Kettle do
  it "boils" do
    expect(kettle.boil)
    expect(kettle.boil).to be(true)
    expect(kettle.litres).equal? 2
    expect(kettle.litres).to equal(2)
  end
end
