import { expect, test } from "vitest";
import { boxBetween, contains, extendLasso, rectAt, rectsInBox, type Polygon } from "./lasso";
import { PointIndex } from "./spatial_index";

const SQUARE: Polygon = { x: [0, 10, 10, 0], y: [0, 0, 10, 10] };

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
