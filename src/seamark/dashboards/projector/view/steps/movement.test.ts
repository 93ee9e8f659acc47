import { expect, test } from "vitest";
import { barHeights, movedMost } from "./movement";

test("rows are chosen by how far they moved", () => {
  expect([...movedMost(Float32Array.of(0.5, NaN, 3, 0, 2), 2)]).toEqual([2, 4]);
  expect([...movedMost(Float32Array.of(0.5, NaN, 3, 0, 2), 9)]).toEqual([2, 4, 0]);
  expect([...movedMost(Float32Array.of(0.5, NaN, 3, 0, 2), 2, Uint8Array.of(1, 1, 0, 1, 1))]).toEqual([4, 0]);
});

test("the bars are scaled to the largest movement", () => {
  expect(barHeights([4, 2, NaN])).toEqual([0, 1, 0.5, 0]);
  expect(barHeights([0, 0])).toEqual([0, 0, 0]);
});
