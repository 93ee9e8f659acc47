import { expect, test } from "vitest";
import type { PartialDependence } from "../../wire";
import { curvePlot, linePath, scoreRange } from "./curve_plot";

const result = (parts: Partial<PartialDependence>): PartialDependence => ({
  feature: "x",
  feature2: "",
  grid: [10, 20, 80],
  grid2: [],
  own: 0.5,
  point: [0, 0.5, 1],
  mean: [],
  low: [],
  high: [],
  curves: [],
  class_name: "yes",
  rows: 0,
  progress: { key: "", done: 0, total: 0, state: "done", error: "", traceback: "", unit: "rows" },
  ...parts,
});
const SIZE = { width: 144, height: 124 };

test("numbers lie where they are, and the point is on its curve", () => {
  const plot = curvePlot(result({}), 20, SIZE);
  expect([plot.left, plot.right, plot.top, plot.bottom]).toEqual([34, 134, 6, 106]);
  expect(plot.point).toBe("M34.0 106.0L48.3 56.0L134.0 6.0");
  expect(plot.own?.x).toBeCloseTo(48.29);
  expect(plot.own?.y).toBe(56);
});

test("names have equal steps, and a value that is not in the grid has no position", () => {
  const plot = curvePlot(result({ grid: ["a", "b"], point: [0, 1] }), "b", SIZE);
  expect(plot.point).toBe("M59.0 106.0L109.0 6.0");
  expect(plot.xTicks.map(({ text }) => text)).toEqual(["a", "b"]);
  expect(plot.own?.x).toBe(109);
  expect(curvePlot(result({ grid: ["a", "b"], point: [0, 1] }), "c", SIZE).own).toBeNull();
});

test("a curve begins anew after a missing score", () => {
  expect(linePath([0, 1, 2, 3], [1, null, 2, 3], (score) => score)).toBe("M0.0 1.0M2.0 2.0L3.0 3.0");
});

test("probabilities fill 0 to 1, other scores their own range", () => {
  expect(scoreRange(result({ point: [0.2, 0.4] }))).toEqual([0, 1]);
  const [low, high] = scoreRange(result({ class_name: "", point: [100, 200] }));
  expect([low, high]).toEqual([95, 205]);
  expect(scoreRange(result({ point: [null] }))).toEqual([0, 1]);
});

test("the interval is a closed area, and none without a second value", () => {
  const plot = curvePlot(result({ mean: [0.4, 0.5, 0.6], low: [0.3, 0.4, null], high: [0.5, 0.6, null] }), 20, SIZE);
  expect(plot.band).toBe("M34.0 56.0L48.3 46.0L48.3 66.0L34.0 76.0Z");
  expect(curvePlot(result({ low: [0, null, null], high: [1, null, null] }), 20, SIZE).band).toBe("");
});

test("one value of a number lies in the middle", () => {
  expect(curvePlot(result({ grid: [5], point: [0.5] }), 5, SIZE).own?.x).toBe(84);
});
