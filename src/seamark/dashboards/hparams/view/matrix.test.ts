import { expect, test } from "vitest";
import { axisOf } from "./axes";
import type { ColumnType } from "$public/tables";
import { columnOf, type Cell } from "./columns";
import { binsFor, cellAt, cellsOf, countsAlong, DotField, dotAt, mostAxes, placeAt, ranksOf, spearman } from "./matrix";

const column = (values: readonly Cell[], type: ColumnType = "number") => columnOf({ id: "param:x", type, values });

test("cells tile the sheet, and a place in one is found again", () => {
  const cells = cellsOf(5, 1000, 400);
  expect(cells).toHaveLength(25);
  const cell = cells.find(({ column: along, row }) => along === 1 && row === 3)!;
  const { x, y } = dotAt(cell, 0.25, 0.75);
  expect(cellAt(cells, x, y)).toBe(cell);
  expect(placeAt(cell, x, y).across).toBeCloseTo(0.25);
  expect(placeAt(cell, x, y).up).toBeCloseTo(0.75);
  expect(cellAt(cells, 2, 2)).toBeUndefined();
  expect(Math.max(...cells.map((one) => one.x + one.width))).toBeLessThanOrEqual(1000);
});

test("a small sheet has fewer axes", () => {
  expect(mostAxes(1060, 360)).toBe(6);
  expect(mostAxes(420, 300)).toBe(4);
  expect(mostAxes(50, 50)).toBe(2);
});

test("blanks lie on the edge of a cell, not among the values", () => {
  const [cell] = cellsOf(2, 300, 200);
  expect(dotAt(cell!, -1, 0.5).x).toBeLessThan(dotAt(cell!, 0, 0.5).x);
  expect(dotAt(cell!, 0.5, -2).y).toBeGreaterThan(dotAt(cell!, 0.5, 0).y);
});

test("a dot is round, stays inside the picture, and covers what it covers", () => {
  const field = new DotField(9, 9);
  field.stamp(4.5, 4.5, 2, 0xff8000, 1);
  const pixel = (x: number, y: number): number[] => [...field.pixels.slice((y * 9 + x) * 4, (y * 9 + x) * 4 + 4)];
  expect(pixel(4, 4)).toEqual([255, 128, 0, 255]);
  expect(pixel(1, 1)[3]).toBe(0);
  field.stamp(-1, 20, 3, 0, 1);
  field.clear();
  expect(field.pixels.every((byte) => byte === 0)).toBe(true);
});

test("counts leave out what has no place", () => {
  const axis = axisOf(column([0, 0.1, 1, null, "NaN"]), { kind: "linear" });
  const { all, inside, most } = countsAlong(axis, Uint8Array.from([1, 0, 1, 1, 1]), 2);
  expect([[...all], [...inside], most]).toEqual([[2, 1], [1, 1], 2]);
});

test("Spearman's rho is what SciPy says", () => {
  // scipy.stats.spearmanr([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).statistic, and with ties on both sides
  expect(spearman(column([1, 2, 3, 4, 5]), column([5, 6, 7, 8, 7]))).toBeCloseTo(0.8207826816681233, 12);
  expect(spearman(column([1, 1, 2, 3, 3, 4]), column([2, 1, 1, 5, 4, 4]))).toBeCloseTo(0.7272727272727272, 12);
  expect(spearman(column([1, 2, 3, null, 9]), column([3, 2, 1, 7, "NaN"]))).toBeCloseTo(-1, 12);
});

test("no correlation without order, without variation, or of two", () => {
  expect(spearman(column(["a", "b", "c"], "text"), column([1, 2, 3]))).toBeNull();
  expect(spearman(column([1, 1, 1]), column([1, 2, 3]))).toBeNull();
  expect(spearman(column([1, 2]), column([1, 2]))).toBeNull();
  expect(spearman(column([true, false, true], "bool"), column([1, 0, 1]))).toBeCloseTo(1);
  expect([...ranksOf([3, 1, 3])]).toEqual([1.5, 0, 1.5]);
});

test("a step is one bar, however its dots are spread", () => {
  const sizes = axisOf(column(Array.from({ length: 300 }, (_, row) => [32, 64, 512][row % 3]!)));
  expect(sizes.kind).toBe("steps");
  expect([...countsAlong(sizes, new Uint8Array(300), binsFor(sizes)).all]).toEqual([100, 100, 100]);
  expect(binsFor(axisOf(column(Array.from({ length: 50 }, (_, row) => row / 7))))).toBe(16);
});
