import { expect, test } from "vitest";
import type { HistogramBlock } from "../../data/histograms";
import { exact, nearestRow, noteOf, rowsOf, stepped, tallyOf } from "./rows";

/** So many histograms of run a and of run b; wall times ten seconds apart from 1,000 on. */
function blockOf(a: number, b: number): HistogramBlock {
  const steps = [...Array(a).keys(), ...Array(b).keys()];
  const none = new Float64Array(0);
  return {
    tag: "t",
    runs: ["a", "b"],
    run: Uint32Array.from(steps.map((_, row) => (row < a ? 0 : 1))),
    step: Float64Array.from(steps),
    wall: Float64Array.from(steps.map((step) => 1000 + 10 * step)),
    leftOut: new Float64Array(steps.length),
    offsets: none,
    left: none,
    right: none,
    count: none,
    percentiles: none,
    points: Float64Array.of(a, b),
    total: Float64Array.of(a, b),
    began: Float64Array.of(1000, 1000),
    replaced: new Float64Array(2),
    problems: new Map(),
    health: [],
  };
}

test("rows of two runs lie in the order of the axis", () => {
  const block = blockOf(2, 1);
  expect(rowsOf(block, ["a", "b"], "step").map(({ run, along }) => `${run}${along}`)).toEqual(["a0", "b0", "a1"]);
  expect(rowsOf(block, ["a"], "wall").map(({ along }) => along)).toEqual([1000, 1010]);
  expect(rowsOf(block, ["a", "gone"], "relative").map(({ along }) => along)).toEqual([0, 10]);
});

test("a card says how many steps there are, how many it draws, and what has no bin", () => {
  const block = {
    ...blockOf(2, 0),
    points: Float64Array.of(10_000, 0),
    total: Float64Array.of(10_000, 0),
    leftOut: Float64Array.of(0, 7),
  };
  const format = (count: number): string => count.toLocaleString("en");
  expect(noteOf(tallyOf(block, rowsOf(block, ["a"], "step")), format)).toBe(
    "10,000 steps, 2 drawn: zoom in for more · 7 NaN or ∞",
  );
  expect(noteOf({ drawn: 2, points: 2, total: 10, leftOut: 0, replaced: 0 }, format)).toBe("2 of 10 steps");
  expect(noteOf({ drawn: 1, points: 1, total: 1, leftOut: 0, replaced: 0 }, format)).toBe("1 step");
});

test("what a restart replaced is dimmed, and the card says so", () => {
  const block = { ...blockOf(4, 1), replaced: Float64Array.of(3, 0) };
  const rows = rowsOf(block, ["a", "b"], "step");
  expect(rows.map(({ run, step, alpha }) => `${run}${step} ${alpha < 1}`)).toEqual([
    "a0 false",
    "b0 false",
    "a1 true",
    "a2 true",
    "a3 true",
  ]);
  expect(noteOf(tallyOf(block, rows), String)).toBe("5 steps · 3 replaced");
});

test("the nearest step is found for each run by itself", () => {
  const rows = rowsOf(blockOf(3, 1), ["a", "b"], "step");
  expect(nearestRow(rows, 1.6)?.step).toBe(2);
  expect(nearestRow(rows, 1.6, "b")?.step).toBe(0);
  expect(nearestRow([], 0)).toBeNull();
});

test("edges are read with the digits they have", () => {
  expect(exact(0.1)).toBe("0.1");
  expect(exact(Math.fround(0.1))).toBe("0.1");
  expect(exact(-1234567)).toBe("−1,234,567");
  expect(exact(1.5e-12)).toBe("1.5e−12");
  expect(exact(Infinity)).toBe("∞");
});

test("keys move from row to row, and from the end that they come from", () => {
  const rows = rowsOf(blockOf(4, 0), ["a"], "step");
  expect([stepped(rows, null, 1), stepped(rows, null, -1), stepped(rows, 1.2, 1)]).toEqual([0, 3, 2]);
  expect([stepped(rows, 1, Infinity), stepped(rows, 1, -9), stepped([], 0, 1)]).toEqual([3, 0, undefined]);
});
