import { describe, expect, it } from "vitest";
import type { MetadataColumn } from "../wire";
import { countShown, mixOf, spreadOf } from "./mix";

const animals: MetadataColumn = {
  type: "category",
  names: ["cat", "dog", "eel", "fox"],
  values: Int32Array.of(0, 0, 1, 1, 1, 2, 3, -1),
};

describe("the mix of a selection", () => {
  it("counts the categories, the most frequent one first", () => {
    expect(mixOf(Uint32Array.of(0, 2, 3, 5), animals, 4)).toEqual([
      { name: "dog", code: 1, count: 2 },
      { name: "cat", code: 0, count: 1 },
      { name: "eel", code: 2, count: 1 },
    ]);
  });

  it("joins what does not fit, and says how many rows have no value", () => {
    expect(mixOf(Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7), animals, 2)).toEqual([
      { name: "dog", code: 1, count: 3 },
      { name: "cat", code: 0, count: 2 },
      { name: "2 others", code: -1, count: 2 },
      { name: "no value", code: -1, count: 1 },
    ]);
  });

  it("of numbers is their range and their mean", () => {
    const column: MetadataColumn = { type: "number", names: [], values: Float32Array.of(1, NaN, 3, 8) };
    expect(spreadOf(Uint32Array.of(0, 1, 2), column)).toEqual({ low: 1, mean: 2, high: 3 });
    expect(spreadOf(Uint32Array.of(1), column)).toBeNull();
  });
});

it("counts the rows that are placed and shown", () => {
  const x = Float32Array.of(0, NaN, 2, 3);
  expect([countShown(x, null), countShown(x, Uint8Array.of(1, 1, 0, 1))]).toEqual([3, 2]);
});
