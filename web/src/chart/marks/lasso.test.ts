import { expect, test } from "vitest";
import { boxBetween, extendLasso, lassoTest, rectAt, rectsInBox, type Polygon } from "./lasso";
import { PointIndex } from "./spatial_index";

const SQUARE: Polygon = { x: [0, 10, 10, 0], y: [0, 0, 10, 10] };

test("a lasso holds what it surrounds, also when it is bent", () => {
  const bent: Polygon = { x: [0, 10, 10, 5, 0], y: [0, 0, 10, 2, 10] };
  expect(lassoTest(SQUARE)(5, 5)).toBe(true);
  expect(lassoTest(SQUARE)(15, 5)).toBe(false);
  expect(lassoTest(bent)(5, 5)).toBe(false);
  expect(lassoTest(bent)(1, 5)).toBe(true);
  const index = new PointIndex(Float32Array.of(5, 1, 20), Float32Array.of(5, 5, 5));
  expect([...index.inLasso(bent)]).toEqual([1]);
});

test("a long lasso that crosses itself holds what all of its edges say", () => {
  const turns = Array.from({ length: 700 }, (_, at) => (at * 7.3) / 10);
  const spiral: Polygon = { x: turns.map((t) => t * Math.cos(t)), y: turns.map((t) => t * Math.sin(1.1 * t)) };
  const isInside = lassoTest(spiral);
  const crossings = (px: number, py: number): number =>
    turns.filter((_, at) => {
      const [ax, ay, bx, by] = [spiral.x.at(at - 1)!, spiral.y.at(at - 1)!, spiral.x[at]!, spiral.y[at]!];
      return ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax;
    }).length;
  for (let at = 0; at < 2000; at += 1) {
    const [px, py] = [((at * 37) % 1000) - 500, ((at * 91) % 1000) - 500];
    expect(isInside(px, py)).toBe(crossings(px, py) % 2 === 1);
  }
});

test("a lasso of fewer than three corners holds nothing", () => {
  expect(lassoTest({ x: [1, 5], y: [1, 5] })(3, 3)).toBe(false);
  expect(lassoTest({ x: [1, 5, 9], y: [2, 2, 2] })(5, 2)).toBe(false);
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
