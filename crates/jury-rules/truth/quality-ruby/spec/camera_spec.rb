RSpec.describe Camera do
  context "near", :focus do
  end
  context "far", :slow do
  end
  fdescribe "zoom" do
  end
end
