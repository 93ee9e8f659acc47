import { expect, test } from "vitest";
import { boxBetween, contains, extendLasso, rectAt, rectsInBox, type Polygon } from "./lasso";
import { PointIndex } from "./spatial_index";

const SQUARE: Polygon = { x: [0, 10, 10, 0], y: [0, 0, 10, 10] };
const scatter = (count: number): { x: Float32Array; y: Float32Array } => ({
  x: Float32Array.from({ length: count }, (_, point) => (point * 7919) % 1009),
  y: Float32Array.from({ length: count }, (_, point) => (point * 104729) % 997),
});

test("the nearest point is what a scan of all points finds", () => {
  const { x, y } = scatter(5000);
  const index = new PointIndex(x, y);
  for (const [px, py] of [
    [0, 0],
    [500.3, 400.7],
    [1008, 996],
  ] as const) {
    const away = (point: number): number => Math.hypot(x[point]! - px, y[point]! - py);
    const scanned = [...x.keys()].reduce((best, point) => (away(point) <= away(best) ? point : best));
    expect(away(index.nearest(px, py, 50)!)).toBe(away(scanned));
  }
});

test("nothing within reach, or nothing accepted, is nothing", () => {
  const index = new PointIndex(Float32Array.of(1, 2, NaN), Float32Array.of(1, 2, 3));
  expect(index.nearest(5, 5, 1)).toBeNull();
  expect(index.nearest(2, 2, 1, (point) => point !== 1)).toBeNull();
  expect(index.nearest(1, 1, 9, (point) => point !== 0)).toBe(1);
  expect(new PointIndex(new Float32Array(), new Float32Array()).nearest(0, 0, 9)).toBeNull();
});

test("of points in one spot the last one, which lies on top, is found", () => {
  expect(new PointIndex(Float32Array.of(3, 3, 3), Float32Array.of(4, 4, 4)).nearest(3, 4, 1)).toBe(2);
});

test("a box holds what lies in it and on its edges", () => {
  const { x, y } = scatter(2000);
  const box = boxBetween({ x: 700, y: 100 }, { x: 300, y: 600 });
  const scanned = [...x.keys()].filter((p) => x[p]! >= 300 && x[p]! <= 700 && y[p]! >= 100 && y[p]! <= 600);
  expect([...new PointIndex(x, y).inBox(box)]).toEqual(scanned);
});

test("a lasso holds what it surrounds, also when it is bent", () => {
  const bent: Polygon = { x: [0, 10, 10, 5, 0], y: [0, 0, 10, 2, 10] };
  expect(contains(SQUARE, 5, 5)).toBe(true);
  expect(contains(SQUARE, 15, 5)).toBe(false);
  expect(contains(bent, 5, 5)).toBe(false);
  expect(contains(bent, 1, 5)).toBe(true);
  const index = new PointIndex(Float32Array.of(5, 1, 20), Float32Array.of(5, 5, 5));
  expect([...index.inLasso(bent)]).toEqual([1]);
});

test("a lasso of fewer than three corners holds nothing", () => {
  expect(contains({ x: [1, 5], y: [1, 5] }, 3, 3)).toBe(false);
  expect([...new PointIndex(Float32Array.of(3), Float32Array.of(3)).inLasso({ x: [], y: [] })]).toEqual([]);
});

test("a lasso grows by steps that can be seen", () => {
  let lasso: Polygon = { x: [], y: [] };
  for (let at = 0; at <= 30; at += 1) lasso = extendLasso(lasso, at, 0);
  expect(lasso.x).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
});

test("the rectangle on top is found, whichever way its corners lie", () => {
  const bars = {
    x0: Float32Array.of(0, 5, 20),
    x1: Float32Array.of(10, 15, 30),
    y0: Float32Array.of(0, 0, 9),
    y1: Float32Array.of(10, 10, 2),
  };
  expect(rectAt(bars, 7, 5)).toBe(1);
  expect(rectAt(bars, 2, 5)).toBe(0);
  expect(rectAt(bars, 25, 5)).toBe(2);
  expect(rectAt(bars, 17, 5)).toBeNull();
  expect(rectsInBox(bars, boxBetween({ x: 12, y: 3 }, { x: 22, y: 4 }))).toEqual([1, 2]);
});
