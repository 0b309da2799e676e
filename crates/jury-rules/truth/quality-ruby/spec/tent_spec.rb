RSpec.describe Tent do
  let(:poles) { 3 }
  let(:pegs) { 8 }
  let(:poles) { 4 }
end
