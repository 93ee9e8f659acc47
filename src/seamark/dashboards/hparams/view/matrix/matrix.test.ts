import { expect, test } from "vitest";
import { axisOf } from "../axes/axes";
import type { ColumnType } from "$public/tables";
import { type Cell } from "../columns/columns";
import { columnFrom } from "../columns/testing";
import {
  binsFor,
  cellAt,
  cellsOf,
  countsAlong,
  dotAt,
  maxAxes,
  ranksOf,
  shareAt,
  sharesAlong,
  spearman,
  transformOf,
} from "./matrix";

const column = (values: readonly Cell[], type: ColumnType = "number") => columnFrom({ id: "param:x", type, values });

test("cells tile the area, and a position in one is found again", () => {
  const cells = cellsOf(5, 1000, 400);
  expect(cells).toHaveLength(25);
  const cell = cells.find(({ column: along, row }) => along === 1 && row === 3)!;
  const { x, y } = dotAt(cell, 0.25, 0.75);
  expect(cellAt(cells, x, y)).toBe(cell);
  expect(shareAt(cell, x, y).across).toBeCloseTo(0.25);
  expect(shareAt(cell, x, y).up).toBeCloseTo(0.75);
  expect(cellAt(cells, 2, 2)).toBeUndefined();
  expect(Math.max(...cells.map((one) => one.x + one.width))).toBeLessThanOrEqual(1000);
});

test("a small area has fewer axes", () => {
  expect(maxAxes(1060, 360)).toBe(6);
  expect(maxAxes(420, 300)).toBe(4);
  expect(maxAxes(50, 50)).toBe(2);
});

test("blanks lie on the edge of a cell, not among the values", () => {
  const [cell] = cellsOf(2, 300, 200);
  expect(dotAt(cell!, -1, 0.5).x).toBeLessThan(dotAt(cell!, 0, 0.5).x);
  expect(dotAt(cell!, 0.5, -2).y).toBeGreaterThan(dotAt(cell!, 0.5, 0).y);
});

test("a column drawn with the transform of a cell lies where single dots do", () => {
  const [, cell] = cellsOf(2, 300, 200);
  const at = Float32Array.of(0, 0.5, 1, -1, -2);
  const { scaleX, offsetX, scaleY, offsetY } = transformOf(cell!);
  const across = sharesAlong({ at }, cell!.width);
  const up = sharesAlong({ at }, cell!.height);
  at.forEach((share, row) => {
    expect(across[row]! * scaleX + offsetX).toBeCloseTo(dotAt(cell!, share, share).x, 3);
    expect(up[row]! * scaleY + offsetY).toBeCloseTo(dotAt(cell!, share, share).y, 3);
  });
});

test("counts leave out what has no place", () => {
  const axis = axisOf(column([0, 0.1, 1, null, "NaN"]), { scale: "linear" });
  const { all, inside, highest } = countsAlong(axis, Uint8Array.from([1, 0, 1, 1, 1]), 2);
  expect([[...all], [...inside], highest]).toEqual([[2, 1], [1, 1], 2]);
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
  expect(sizes.scale).toBe("steps");
  expect([...countsAlong(sizes, new Uint8Array(300), binsFor(sizes)).all]).toEqual([100, 100, 100]);
  expect(binsFor(axisOf(column(Array.from({ length: 50 }, (_, row) => row / 7))))).toBe(16);
});
