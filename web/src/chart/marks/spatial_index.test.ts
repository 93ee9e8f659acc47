import { expect, test } from "vitest";
import { boxBetween } from "./lasso";
import { PointIndex } from "./spatial_index";

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
