import { expect, test } from "vitest";
import { nearestRow } from "./nearest_row";
import { nearestSeries, rowsAt, stepX } from "./pick";
import { all, setOf, sharedSetOf } from "./testing";

const f64 = (...values: number[]): Float64Array => Float64Array.from(values);
const identity = { toX: (value: number) => value, toY: (value: number) => value, fromX: (pixel: number) => pixel };

test("the nearest row is found on either side and beyond both ends", () => {
  expect([-5, 4, 6, 11, 99].map((at) => nearestRow(f64(0, 5, 10), at))).toEqual([0, 1, 1, 2, 2]);
  expect(nearestRow(f64(), 1)).toBe(-1);
  expect(nearestRow(f64(9, 9, 1, 2, 9), 0, 2, 4)).toBe(2);
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
