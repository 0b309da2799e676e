import { describe, expect, it, test } from "vitest";
import assert from "node:assert";
import { Cart, loadCart } from "../src/cart";

describe("cart", () => {
  it.skip("sums the prices of its lines", () => {
    const cart = new Cart([{ price: 2 }, { price: 3 }]);
    expect(cart.sum()).toBe(5);
  });

  // The rounding of the currency library is to change with release 4.
  it.skip("rounds to cents", () => {
    expect(new Cart([{ price: 0.005 }]).sum()).toBe(0.01);
  });

  xtest("keeps the order of its lines", function () {
    expect(new Cart([{ price: 1 }]).lines).toHaveLength(1);
  });

  test("keeps every line", function () {
    expect(new Cart([{ price: 1 }]).lines).toHaveLength(1);
  });

  it("is empty at first", () => {});

  it.todo("is empty after it was cleared");

  it("adds a line", () => {
    const cart = new Cart([]);
    cart.add({ price: 1 });
    cart.add({ price: 2 });
  });

  it("adds two lines", () => {
    const cart = new Cart([]);
    cart.add({ price: 1 });
    cart.add({ price: 2 });
    expect(cart.lines.length).toEqual(2);
  });

  it("clears", () => {
    const cart = new Cart([{ price: 1 }]);
    cart.clear();
    expect(true).toBe(true);
  });

  it("clears all lines", () => {
    const cart = new Cart([{ price: 1 }]);
    cart.clear();
    expect(cart.isEmpty).toBe(true);
  });

  it("copies", () => {
    const cart = new Cart([{ price: 1 }]);
    const copy = cart.copy();
    assert.deepStrictEqual(copy, copy);
  });

  it("copies its lines", () => {
    const cart = new Cart([{ price: 1 }]);
    const copy = cart.copy();
    assert.deepStrictEqual(copy, cart);
  });

  it("has a total", () => {
    const cart = new Cart([{ price: 1 }]);
    expect(cart.sum());
  });

  it("has the right total", () => {
    const cart = new Cart([{ price: 1 }]);
    expect(cart.sum()).toBe(1);
  });

  it("is open", () => {
    const cart = new Cart([]);
    expect(cart.isOpen).toBeTruthy;
  });

  it("is really open", () => {
    const cart = new Cart([]);
    expect(cart.isOpen).toBeTruthy();
  });

  it("refuses an unknown id", async () => {
    const id = "none";
    expect(loadCart(id)).rejects.toThrow(/unknown/);
  });

  it("refuses an empty id", async () => {
    const id = "";
    await expect(loadCart(id)).rejects.toThrow(/unknown/);
  });

  it("loads", () => {
    expect(loadCart("a")).resolves.toBeInstanceOf(Cart);
  });

  it("loads at once", () => {
    return expect(loadCart("a")).resolves.toBeInstanceOf(Cart);
  });

  it("survives", async () => {
    try {
      const cart = await loadCart("b");
      expect(cart.sum()).toBe(9);
    } catch {
      // may be offline
    }
  });

  it("closes what it opened", async () => {
    const cart = await loadCart("b");
    try {
      expect(cart.sum()).toBe(9);
    } finally {
      cart.clear();
    }
  });
});
