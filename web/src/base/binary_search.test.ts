import { expect, test } from "vitest";
import { lowerBound, upperBound } from "./binary_search";

const sorted = [1, 3, 3, 3, 7];

test("the bounds enclose equal values", () => {
  expect([0, 1, 3, 5, 8].map((value) => lowerBound(sorted, value))).toEqual([0, 0, 1, 4, 5]);
  expect([0, 1, 3, 5, 8].map((value) => upperBound(sorted, value))).toEqual([0, 1, 4, 4, 5]);
});

test("a search can be limited to a part, and to nothing", () => {
  expect([lowerBound(sorted, 0, 2, 4), upperBound(sorted, 9, 2, 4)]).toEqual([2, 4]);
  expect([lowerBound([], 1), upperBound([], 1)]).toEqual([0, 0]);
});
