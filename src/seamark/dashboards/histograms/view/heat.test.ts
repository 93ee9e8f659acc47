import { chartAxes } from "$public/charts";
import { expect, test } from "vitest";
import { heatColumns, heatPixels } from "./heat";

const frame = { left: 10, right: 110, toX: (along: number) => 10 + along * 10 };
const at = (...steps: number[]) => ({ rows: steps.map((along) => ({ along })), along: { from: 0, to: 10 } });

test("columns meet half way between histograms and fill the plot", () => {
  expect(heatColumns(at(0, 4, 10), frame, 1)).toEqual([
    { index: 0, from: 0, to: 20 },
    { index: 1, from: 20, to: 70 },
    { index: 2, from: 70, to: 100 },
  ]);
  expect(heatColumns(at(0, 4, 10), frame, 2).map(({ to }) => to)).toEqual([40, 140, 200]);
});

test("what lies outside the shown steps is left out, and neighbours closer than a pixel get one each", () => {
  expect(heatColumns(at(-5, 4, 30), frame, 1)).toEqual([{ index: 1, from: 0, to: 100 }]);
  const crowded = heatColumns(at(5, 5.01, 5.02), frame, 1);
  expect(crowded.every(({ from, to }) => to > from)).toBe(true);
});

test("the fullest bin has the last shade, an empty one none, and the lowest bin is at the bottom", () => {
  const shades = Uint32Array.from({ length: 11 }, (_, shade) => 100 + shade);
  const input = { heights: [Float64Array.of(10, 5, 0)], highest: 10, scale: chartAxes.LINEAR };
  const pixels = heatPixels(input, [{ index: 0, from: 1, to: 3 }], { width: 3, height: 3 }, shades);
  expect([...pixels]).toEqual([0, 0, 0, 0, 105, 105, 0, 110, 110]);
});
