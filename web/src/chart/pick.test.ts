import { expect, test } from "vitest";
import { nearestRow } from "./nearest_row";
import { nearestMark, nearestSeries, rowsAt, stepX, tipRow, tipWindow, valueAt } from "./pick";
import { nonFiniteWords, rowWords } from "./row_words";
import { all, setOf, sharedSetOf } from "./testing";

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);
const identity = { toX: (value: number) => value, toY: (value: number) => value, fromX: (pixel: number) => pixel };

test("the nearest row is found on either side and beyond both ends", () => {
  expect([-5, 4, 6, 11, 99].map((at) => nearestRow(f64(0, 5, 10), at))).toEqual([0, 1, 1, 2, 2]);
  expect(nearestRow(f64(), 1)).toBe(-1);
  expect(nearestRow(f64(9, 9, 1, 2, 9), 0, 2, 4)).toBe(2);
});

test("the line that passes nearest to the pointer is the first row, also where another one is nearer at this x", () => {
  const set = setOf([5], [NaN], [1], [4]);
  const order = (nearest: number): number[] =>
    rowsAt(set, all(set), 0, { order: "nearest", value: 4.2, nearest }).map(({ series }) => series);
  expect([order(2), order(1)]).toEqual([
    [2, 3, 0, 1],
    [3, 0, 2, 1],
  ]);
});

test("the nearest line is the one that passes by, not the one with the nearest point", () => {
  const set = { ...setOf([0, 10], [3, 3]), x: f64(0, 10, 0, 10) };
  expect(nearestSeries(set, all(set), identity, 5, 5)!.series).toBe(0);
  expect(nearestSeries(set, all(set), identity, 1, 2.9)!).toMatchObject({ series: 1, index: 2 });
  expect(nearestSeries(set, [1], identity, 5, 5)!.distance).toBeCloseTo(2);
});

test("a gap is far away, and an empty chart has nothing near", () => {
  const set = setOf([NaN, NaN], []);
  expect(nearestSeries(set, all(set), identity, 0, 0)).toBeNull();
});

test("each series gives its nearest row; the last one where it ended earlier", () => {
  const set = setOf([5, 6, 7], [1]);
  const rows = rowsAt(set, all(set), 2, { order: "ascending", value: 0 });
  expect(rows.map(({ info, value, x }) => [info.key, value, x])).toEqual([
    ["run1", 1, 0],
    ["run0", 7, 2],
  ]);
});

test("rows are sorted as asked, and what is no number comes last", () => {
  const set = setOf([5], [NaN], [1], [4]);
  const keys = (order: "nearest" | "ascending" | "descending" | "name"): string =>
    rowsAt(set, all(set), 0, { order, value: 4.2 })
      .map(({ series }) => series)
      .join("");
  expect([keys("nearest"), keys("ascending"), keys("descending"), keys("name")]).toEqual([
    "3021",
    "2301",
    "0321",
    "0123",
  ]);
});

test("relative time counts from where the series began", () => {
  const set = { ...setOf([1, 2]), wall: f64(1000, 1007), began: f64(1000) };
  expect(rowsAt(set, [0], 1, { order: "name", value: 0 })[0]).toMatchObject({
    relativeSecs: 7,
    wallSecs: 1007,
    step: 1,
  });
});

test("arrow keys stop at the ends", () => {
  const set = setOf([1, 2, 3]);
  expect([stepX(set, 0, 1, 1), stepX(set, 0, 2, 1), stepX(set, 0, 0, -1)]).toEqual([2, 2, 0]);
});

test("rows out of order are searched one by one", () => {
  const set = { ...setOf([1, 2, 3]), x: f64(9, 1, 5), sorted: false };
  expect(rowsAt(set, [0], 1.2, { order: "name", value: 0 })[0]!.value).toBe(2);
});

test("it is the same whether x is a column of its own or shared", () => {
  const lines = [[5, 6, 7], [1], [9, 8]];
  const [own, shared] = [setOf(...lines), sharedSetOf(...lines)];
  for (const at of [-1, 0.4, 1.2, 9]) {
    expect(nearestSeries(shared, all(shared), identity, at, 7)).toEqual(nearestSeries(own, all(own), identity, at, 7));
    const rows = (set: typeof own) =>
      rowsAt(set, all(set), at, { order: "name", value: 0 }).map(({ x, index, step }) => [x, index, step]);
    expect(rows(shared)).toEqual(rows(own));
    expect(stepX(shared, 2, at, 1)).toBe(stepX(own, 2, at, 1));
  }
});

/** Rows of six points each: their last value, and how many of them were NaN. */
const bucketsOf = (last: number[], nan: number[]) => ({
  ...setOf([0.9388, 0.5, NaN].slice(0, last.length)),
  low: f64(0.906, 0.4, NaN),
  high: f64(0.977, 0.6, NaN),
  logged: { last: f64(...last), count: f64(6, 6, 1), nan: f64(...nan), posinf: null, neginf: null },
});

test("the value of a row is the last one logged behind it, and what else is there is said", () => {
  const set = bucketsOf([0.9453, NaN, NaN], [0, 2, 1]);
  const [first, mixed, lost] = [0, 1, 2].map((row) => tipRow(set, 0, row));
  expect([first!.value, first!.kind]).toEqual([0.9453, "logged"]);
  expect(rowWords(first!)).toEqual(["mean of 6 steps 0.9388, 0.9060 … 0.9770"]);
  expect([nonFiniteWords(first!), nonFiniteWords(mixed!)]).toEqual(["", "2 NaN"]);
  expect(rowWords(mixed!)[1]).toBe("2 NaN among the 6 steps: no place on the axis, ▲ marks them");
  expect(rowWords(lost!)).toEqual(["NaN was logged here: it has no place on the axis, ▲ marks it"]);
});

test("without the last value the mean stands for it and says so; smoothed values are no logged ones", () => {
  const set = bucketsOf([0.9453], [0]);
  const means = { ...set, logged: { ...set.logged, last: null } };
  expect(valueAt(means, 0)).toEqual({ value: 0.9388, kind: "mean" });
  expect(rowWords(tipRow(means, 0, 0))).toEqual(["mean of 6 steps, 0.9060 … 0.9770"]);
  expect(valueAt({ ...setOf([3]), rawLeftOut: true }, 0).kind).toBe("smoothed");
  expect(valueAt(setOf([3]), 0)).toEqual({ value: 3, kind: "logged" });
});

test("a triangle on the baseline is under the pointer, on the curve it is not", () => {
  const set = { ...setOf([1, 1], [1, NaN]), marks: Uint32Array.of(3) };
  const plot = { ...identity, bottom: 100 };
  expect(nearestMark(set, all(set), plot, 3, 95)).toMatchObject({ series: 1, index: 3 });
  expect(nearestMark(set, all(set), plot, 3, 50)).toBeNull();
  expect(nearestMark(set, all(set), plot, 30, 95)).toBeNull();
  expect(nearestMark(set, [0], plot, 3, 95)).toBeNull();
});

test("a table that is cut short keeps the runs without a number", () => {
  const set = setOf([1], [2], [3], [4], [5], [NaN]);
  const rows = rowsAt(set, all(set), 0, { order: "ascending", value: 0 });
  const cut = tipWindow(rows, 0, 3);
  expect(cut.rows.map(({ series }) => series)).toEqual([0, 1, 5]);
  expect([cut.above, cut.below]).toEqual([0, 3]);
  expect(tipWindow(rows, 5, 3).rows.map(({ series }) => series)).toEqual([3, 4, 5]);
  expect(tipWindow(rows, 0, 6).rows).toHaveLength(6);
});
