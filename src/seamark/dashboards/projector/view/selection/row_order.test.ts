import { describe, expect, it } from "vitest";
import { categoryKeys, orderedRows, textKeys } from "./row_order";

const rows = Uint32Array.of(0, 1, 2, 3, 4);

describe("rows of a table", () => {
  it("stay in their order without a column to sort by", () => {
    expect(orderedRows(rows, [])).toBe(rows);
  });

  it("are sorted by numbers, with those that have none last", () => {
    const keys = Float32Array.of(3, NaN, 1, 2, 1);
    expect([...orderedRows(rows, [{ keys, descending: false }])]).toEqual([2, 4, 3, 0, 1]);
    expect([...orderedRows(rows, [{ keys, descending: true }])]).toEqual([0, 3, 2, 4, 1]);
  });

  it("are sorted by the next column where the first one is equal", () => {
    const terms = [
      { keys: Float32Array.of(1, 1, 0, 0, 0), descending: false },
      { keys: Float32Array.of(0, 1, 2, 3, 4), descending: true },
    ];
    expect([...orderedRows(rows, terms)]).toEqual([4, 3, 2, 1, 0]);
  });

  it("are sorted by the names of categories, not by how frequent they are", () => {
    const keys = categoryKeys(Int32Array.of(0, 1, 2, -1, 1), ["pear", "fig 10", "fig 9"]);
    expect([...orderedRows(rows, [{ keys, descending: false }])]).toEqual([2, 1, 4, 0, 3]);
  });

  it("are sorted by texts that were requested for them", () => {
    const some = Uint32Array.of(4, 1, 3);
    const keys = textKeys(some, ["b", "", "a"], 5);
    expect([...orderedRows(some, [{ keys, descending: false }])]).toEqual([3, 4, 1]);
  });
});
