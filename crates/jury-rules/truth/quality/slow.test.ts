import { add } from "./sum";

describe.only("sum", () => {
  test("adds", () => {
    expect(add(1, 2)).toBe(3);
  });
});

describe("product", () => {
  test("multiplies", () => {
    expect(add(2, 2)).toBe(4);
  });
});
