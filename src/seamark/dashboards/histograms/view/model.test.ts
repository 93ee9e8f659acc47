import { expect, test } from "vitest";
import type { HistogramBlock } from "$public/charts";
import { cardsOf } from "./layout";
import {
  bucketAt,
  common,
  exact,
  fullestBucket,
  nearestRow,
  noteOf,
  rebin,
  rowsOf,
  shareOf,
  tallyOf,
  union,
  valueRange,
} from "./model";

type Buckets = readonly (readonly [number, number, number])[];

/** Two runs, histograms one after the other; wall times ten seconds apart from 1,000 on. */
function blockOf(a: readonly Buckets[], b: readonly Buckets[] = []): HistogramBlock {
  const all = [...a, ...b];
  const flat = all.flat();
  const offsets = [0];
  for (const buckets of all) offsets.push(offsets.at(-1)! + buckets.length);
  const steps = [...a.keys(), ...b.keys()];
  return {
    tag: "t",
    runs: ["a", "b"],
    run: Uint32Array.from(all.map((_, row) => (row < a.length ? 0 : 1))),
    step: Float64Array.from(steps),
    wall: Float64Array.from(steps.map((step) => 1000 + 10 * step)),
    leftOut: new Float64Array(all.length),
    offsets: Float64Array.from(offsets),
    left: Float64Array.from(flat.map(([left]) => left)),
    right: Float64Array.from(flat.map(([, right]) => right)),
    count: Float64Array.from(flat.map(([, , count]) => count)),
    percentiles: new Float64Array(0),
    points: Float64Array.of(a.length, b.length),
    total: Float64Array.of(a.length, b.length),
    began: Float64Array.of(1000, 1000),
    problems: new Map(),
    health: [],
  };
}

const PLAIN: Buckets = [
  [0, 1, 5],
  [1, 2, 0],
  [2, 3, 7],
];

test("rows of two runs lie in the order of the axis", () => {
  const block = blockOf([PLAIN, PLAIN], [PLAIN]);
  expect(rowsOf(block, ["a", "b"], "step").map(({ run, along }) => `${run}${along}`)).toEqual(["a0", "b0", "a1"]);
  expect(rowsOf(block, ["a"], "wall").map(({ along }) => along)).toEqual([1000, 1010]);
  expect(rowsOf(block, ["a", "gone"], "relative").map(({ along }) => along)).toEqual([0, 10]);
});

test("a value is read from the bucket that holds it, with its own edges", () => {
  const block = blockOf([
    PLAIN,
    [
      [7, 7, 0],
      [7, 7, 3],
    ],
  ]);
  expect(bucketAt(block, 0, 0.4)).toEqual({ left: 0, right: 1, count: 5 });
  expect(bucketAt(block, 0, 3)).toEqual({ left: 2, right: 3, count: 7 });
  expect(bucketAt(block, 0, 3.1)).toBeNull();
  expect(bucketAt(block, 1, 7)).toEqual({ left: 7, right: 7, count: 3 });
  expect(fullestBucket(block, 0)).toEqual({ left: 2, right: 3, count: 7 });
});

test("equal bins keep every count, however the buckets lie", () => {
  const block = blockOf([
    PLAIN,
    [[0, 3, 6]],
    [[1, 1, 4]],
    [
      [0, 1, 3],
      [1, Infinity, 2],
    ],
  ]);
  expect([...rebin(block, 0, { from: 0, to: 3 }, 3)]).toEqual([5, 0, 7]);
  expect([...rebin(block, 1, { from: 0, to: 3 }, 6)]).toEqual([1, 1, 1, 1, 1, 1]);
  expect([...rebin(block, 1, { from: 1, to: 2 }, 1)]).toEqual([2]);
  expect([...rebin(block, 2, { from: 0, to: 3 }, 3)]).toEqual([0, 4, 0]);
  expect([...rebin(block, 3, { from: 0, to: 2 }, 2)]).toEqual([3, 2]);
});

test("numbers near the largest there are still have a place", () => {
  const block = blockOf([
    [
      [-1.7e308, 0, 3],
      [0, 1.7e308, 4],
    ],
  ]);
  const range = valueRange(block, rowsOf(block, ["a"], "step"), false)!;
  const bins = rebin(block, 0, range, 4);
  expect(bins[0]).toBeCloseTo(bins[1]!);
  expect(bins[3]! / bins[0]!).toBeCloseTo(4 / 3);
});

test("the value axis spans what holds something, or the bulk of it", () => {
  const outlier: Buckets = [
    [-1000, -999, 1],
    [-1, 1, 998],
    [1, 50, 0],
  ];
  const block = blockOf([outlier, outlier], [[[3, 3, 2]], []]);
  const rows = rowsOf(block, ["a"], "step");
  expect(valueRange(block, rows, false)).toEqual({ from: -1000, to: 1 });
  expect(valueRange(block, rows, true)).toEqual({ from: -1, to: 1 });
  expect(valueRange(block, rowsOf(block, ["b"], "step"), false)).toEqual({ from: 2.7, to: 3.3 });
  expect(valueRange(block, [], true)).toBeNull();
  expect(
    union([
      { from: 0, to: 2 },
      { from: -1, to: 1 },
    ]),
  ).toEqual({ from: -1, to: 2 });
});

test("a card says how many steps there are, how many it draws, and what has no bin", () => {
  const block = {
    ...blockOf([PLAIN, PLAIN]),
    points: Float64Array.of(10_000, 0),
    total: Float64Array.of(10_000, 0),
    leftOut: Float64Array.of(0, 7),
  };
  const format = (count: number): string => count.toLocaleString("en");
  expect(noteOf(tallyOf(block, rowsOf(block, ["a"], "step")), format)).toBe(
    "10,000 steps, 2 drawn: zoom in for more · 7 NaN or ∞",
  );
  expect(noteOf({ drawn: 2, points: 2, total: 10, leftOut: 0 }, format)).toBe("2 of 10 steps");
  expect(noteOf({ drawn: 1, points: 1, total: 1, leftOut: 0 }, format)).toBe("1 step");
});

test("the nearest step is found for each run by itself", () => {
  const rows = rowsOf(blockOf([PLAIN, PLAIN, PLAIN], [PLAIN]), ["a", "b"], "step");
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
  expect(shareOf(1, 3)).toBe("33.33%");
});

test("runs stand side by side or in one card, hidden ones in none", () => {
  const entries = [
    { tag: "w10", runs: ["a", "b", "c"] },
    { tag: "w2", runs: ["b"] },
  ];
  expect(cardsOf(entries, ["b", "a"], false).map(({ key }) => key)).toEqual(["w2\nb", "w10\nb", "w10\na"]);
  expect(cardsOf(entries, ["a"], true)).toEqual([{ key: "w10", tag: "w10", runs: ["a"] }]);
});

test("runs share an axis, but one that went astray keeps its own", () => {
  const usual = [
    { from: -1, to: 1 },
    { from: -2, to: 1.5 },
    { from: 0, to: 1 },
  ];
  const astray = { from: -6e144, to: 1e144 };
  expect(common(usual[2]!, [...usual, astray])).toEqual({ from: -2, to: 1.5 });
  expect(common(astray, [...usual, astray])).toEqual(astray);
  expect(common(usual[0]!, [])).toEqual(usual[0]);
});
