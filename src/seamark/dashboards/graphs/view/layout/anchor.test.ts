import { expect, test } from "vitest";
import { viewports } from "$public/charts";
import { anchor } from "./anchor";

const view = viewports.centred({ left: 0, top: 0, right: 100, bottom: 100 }, { width: 200, height: 100 }, 0.5);
const pixelOf = (at: typeof view, x: number, y: number): [number, number] => [
  viewports.toPixel(at.x, x),
  viewports.toPixel(at.y, y),
];

test("the opened box keeps its corner, though everything around it moved", () => {
  const before = { ids: ["a", "b"], rects: Float64Array.of(0, 0, 10, 10, 40, 30, 10, 10) };
  const after = { ids: ["a", "b", "c"], rects: Float64Array.of(70, 0, 10, 10, 25, 80, 200, 90, 30, 99, 9, 9) };
  const moved = anchor(view, before, after, "b", { x: 0, y: 0 });
  expect(pixelOf(moved, 25, 80)).toEqual(pixelOf(view, 40, 30));
  expect(moved.x.unitsPerPx).toBe(view.x.unitsPerPx);
});

test("without that box, the one nearest to the middle keeps its corner", () => {
  const before = { ids: ["gone", "far", "near"], rects: Float64Array.of(50, 50, 1, 1, 0, 0, 1, 1, 48, 50, 1, 1) };
  const after = { ids: ["far", "near"], rects: Float64Array.of(5, 5, 1, 1, 20, 20, 1, 1) };
  const moved = anchor(view, before, after, "gone", { x: 50, y: 50 });
  expect(pixelOf(moved, 20, 20)).toEqual(pixelOf(view, 48, 50));
});

test("another graph has no box to keep", () => {
  const none = { ids: [], rects: new Float64Array(0) };
  expect(anchor(view, { ids: ["a"], rects: Float64Array.of(1, 1, 1, 1) }, none, "a", { x: 0, y: 0 })).toBe(view);
});
