RSpec.describe Draft do
  it "has a title" do
    expect("Draft").to eq(draft.title)
    expect(draft.title).to eq("Draft")
  end

  it "refuses" do
    expect { draft.publish }.to raise_error
    expect { draft.publish }.to raise_error(ArgumentError)
  end
end
