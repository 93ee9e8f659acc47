import { expect, test } from "vitest";
import type { SeriesBlock } from "../data/api";
import { linesOf, nearestRow, rangeOfX, rangeOfY, type Line } from "./model";

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);

function blockOf(extra: Record<string, Float64Array> = {}): SeriesBlock {
  return {
    tag: "loss",
    runs: ["a", "b"],
    columns: {
      offsets: f64(0, 2, 3), step_last: f64(10, 20, 15), wall_last: f64(100, 103, 50), mean: f64(1, 2, NaN),
      min: f64(0.5, 2, NaN), max: f64(1.5, 2, NaN), count: Uint32Array.of(4, 1, 1), nan: Uint32Array.of(0, 0, 1),
      posinf: Uint32Array.of(0, 0, 0), neginf: Uint32Array.of(0, 1, 0), ...extra,
    },
  };
}

function lineOf(...values: number[]): Line {
  const y = f64(...values);
  return { run: "a", x: y.map((_, index) => index), y, mean: y, low: y, high: y, folded: false, points: y.length, marks: [] };
}

test("rows are cut into runs; folded rows and values that are no numbers are marked", () => {
  const [a, b] = linesOf(blockOf(), "step");
  expect([...a!.x]).toEqual([10, 20]);
  expect([a!.folded, a!.points, b!.folded]).toEqual([true, 5, false]);
  expect([a!.marks, b!.marks]).toEqual([[20], [15]]);
});

test("relative time starts at each run's first point, and smoothing replaces the curve but not the mean", () => {
  const [a, b] = linesOf(blockOf({ smoothed: f64(7, 8, 9) }), "relative");
  expect([...a!.x, ...b!.x]).toEqual([0, 3, 0]);
  expect([[...a!.y], [...a!.mean]]).toEqual([[7, 8], [1, 2]]);
});

test("one point gets room on both sides, and no point gives no range", () => {
  expect(rangeOfX([{ ...lineOf(1), x: f64(5) }])).toEqual({ from: 4.5, to: 5.5 });
  expect(rangeOfX([])).toBeNull();
  expect(rangeOfY([lineOf(NaN, Infinity)], { log: false, clipOutliers: true })).toBeNull();
});

test("a spike stretches the axis only when outliers are not clipped", () => {
  const spiky = lineOf(...Array.from({ length: 200 }, (_, index) => (index === 100 ? 1e6 : 1 + index / 200)));
  expect(rangeOfY([spiky], { log: false, clipOutliers: true })!.to).toBeLessThan(6);
  expect(rangeOfY([spiky], { log: false, clipOutliers: false })!.to).toBeGreaterThan(1e6);
});

test("a steep start is no outlier, and a series that hardly moves is not cut", () => {
  const falling = lineOf(...Array.from({ length: 300 }, (_, index) => 1 / (1 + index / 30)));
  expect(rangeOfY([falling], { log: false, clipOutliers: true })!.to).toBeGreaterThan(1);
  const still = lineOf(...Array.from({ length: 200 }, (_, index) => (index === 0 ? 5 : 1)));
  expect(rangeOfY([still], { log: false, clipOutliers: true })!.to).toBeGreaterThan(5);
});

test("a short run counts as short, however many rows it has", () => {
  const regular = Array.from({ length: 7 }, () => lineOf(...Array.from({ length: 300 }, () => Math.random())));
  const exploding = { ...lineOf(...Array.from({ length: 300 }, (_, index) => 1e6 + index)) };
  const short = { ...exploding, x: exploding.x.map((x) => x / 10) };
  expect(rangeOfY([...regular, short], { log: false, clipOutliers: true })!.to).toBeLessThan(10);
});

test("a constant keeps its own size, and a log axis leaves out what it cannot show", () => {
  const constant = rangeOfY([lineOf(0.001, 0.001)], { log: false, clipOutliers: false })!;
  expect(constant.from).toBeCloseTo(0.0009);
  expect(rangeOfY([lineOf(-1, 0, 0.1, 10)], { log: true, clipOutliers: false })!.from).toBeGreaterThan(0.05);
});

test("the nearest row is found on either side and beyond both ends", () => {
  expect([-5, 4, 6, 11, 99].map((at) => nearestRow(f64(0, 5, 10), at))).toEqual([0, 1, 1, 2, 2]);
  expect(nearestRow(f64(), 1)).toBe(-1);
});
