import { expect, test } from "vitest";
import { clippedNotes, limitsToShow } from "./clipped";
import { LINEAR } from "./scale";

test("each edge says how many lines reach beyond it, and a log axis why some have no place", () => {
  expect(clippedNotes({ above: 0, below: 0, unplaceable: 0 }, "run")).toEqual([]);
  expect(clippedNotes({ above: 2, below: 1, unplaceable: 0 }, "run").map(({ edge, words }) => [edge, words])).toEqual([
    ["top", "2 runs above"],
    ["bottom", "1 run below"],
  ]);
  const [zeros] = clippedNotes({ above: 0, below: 0, unplaceable: 3 }, "group");
  expect([zeros!.words, zeros!.reason]).toEqual(["3 groups at 0 or below", expect.stringContaining("log axis")]);
});

test("a click moves one edge as far as the values reach, and leaves the other", () => {
  const limits = { x: { from: 3, to: 4 }, y: null };
  const view = { y: { from: 0, to: 1 }, whole: { from: -10, to: 100 }, scale: LINEAR, limits };
  expect(limitsToShow("top", view)).toEqual({ x: limits.x, y: { from: 0, to: 105 } });
  expect(limitsToShow("bottom", view).y!.from).toBeCloseTo(-10.55);
});
