describe("the shelf", async () => {
  const pots = await load();
  it("is full", () => expect(pots).toHaveLength(9));
});

describe("the kiln", () => {
  it("cools down", () => {
    if (process.env.SLOW) {
      expect(cool()).toBe(20);
    }
  });

  it("cools down", () => {
    expect(cool(2)).toBe(20);
  });

  it("refuses wet clay", async () => {
    try {
      await fire("wet");
    } catch (steam) {
      expect(steam.code).toBe("WET");
    }
  });

  it("refuses damp clay", async () => {
    await expect(fire("damp")).rejects.toThrow("WET");
  });
});
