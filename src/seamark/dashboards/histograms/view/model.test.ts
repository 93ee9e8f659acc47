import { expect, test } from "vitest";
import { type HistogramBlock, histogramRows } from "$public/charts";
import { bucketAt, common, fullestBucket, rebin, shareOf, union, valueRange } from "./model";

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
    replaced: new Float64Array(2),
    problems: new Map(),
    health: [],
  };
}

const PLAIN: Buckets = [
  [0, 1, 5],
  [1, 2, 0],
  [2, 3, 7],
];

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
  const range = valueRange(block, histogramRows.of(block, ["a"], "step"), false)!;
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
  const rows = histogramRows.of(block, ["a"], "step");
  expect(valueRange(block, rows, false)).toEqual({ from: -1000, to: 1 });
  expect(valueRange(block, rows, true)).toEqual({ from: -1, to: 1 });
  expect(valueRange(block, histogramRows.of(block, ["b"], "step"), false)).toEqual({ from: 2.7, to: 3.3 });
  expect(valueRange(block, [], true)).toBeNull();
  expect(
    union([
      { from: 0, to: 2 },
      { from: -1, to: 1 },
    ]),
  ).toEqual({ from: -1, to: 2 });
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

test("a share is a percentage", () => {
  expect([shareOf(1, 3), shareOf(1, 0)]).toEqual(["33.33%", ""]);
});
