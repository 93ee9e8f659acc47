import { expect, test } from "vitest";
import { atOrBefore, nearest, unionOf } from "./steps";

const logged = [10, 20, 40];

test("a step shows what was logged last before it, and before the first the first", () => {
  expect([0, 10, 19, 20, 39, 40, 1e9].map((step) => logged[atOrBefore(logged, step)])).toEqual([
    10, 10, 10, 20, 20, 40, 40,
  ]);
  expect(atOrBefore([], 3)).toBe(-1);
});

test("a typed step finds the nearest", () => {
  expect([-5, 14, 15, 16, 29, 31, 99].map((step) => logged[nearest(logged, step)])).toEqual([
    10, 10, 10, 20, 20, 40, 40,
  ]);
  expect(nearest([], 3)).toBe(-1);
});

test("one slider for runs that log at different steps has all of them", () => {
  expect(unionOf([[0, 10, 20], Float64Array.of(5, 10), []])).toEqual([0, 5, 10, 20]);
});
