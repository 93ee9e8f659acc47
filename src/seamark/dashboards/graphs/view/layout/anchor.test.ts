import { expect, test } from "vitest";
import { viewports } from "$public/charts";
import { anchor, type PlacedBoxes } from "./anchor";

const view = viewports.centred({ left: 0, top: 0, right: 100, bottom: 100 }, { width: 200, height: 200 }, 0.5);
const screen = { left: 0, top: 0, right: 100, bottom: 100 };
const pixelOf = (at: typeof view, x: number, y: number): [number, number] => [
  viewports.toPixel(at.x, x),
  viewports.toPixel(at.y, y),
];
type Rect = readonly [x: number, y: number, width: number, height: number];
const placed = (boxes: Readonly<Record<string, Rect>>): PlacedBoxes => ({
  ids: Object.keys(boxes),
  rects: Float64Array.from(Object.values(boxes).flat()),
});

test("what lies above an opened group keeps its place, and so does the top of the group", () => {
  const before = placed({ a: [45, 0, 10, 10], b: [46, 15, 8, 10], group: [40, 30, 20, 10], below: [45, 50, 10, 10] });
  const after = placed({
    a: [145, 5, 10, 10],
    b: [146, 20, 8, 10],
    group: [110, 35, 80, 90],
    below: [145, 140, 10, 10],
    c: [120, 99, 9, 9],
  });
  const moved = anchor(view, before, after, "group", screen);
  expect(pixelOf(moved, 145, 5)).toEqual(pixelOf(view, 45, 0));
  expect(pixelOf(moved, 146, 20)).toEqual(pixelOf(view, 46, 15));
  expect(pixelOf(moved, 0, 35)[1]).toBe(pixelOf(view, 0, 30)[1]);
  expect(moved.x.unitsPerPx).toBe(view.x.unitsPerPx);
});

test("nothing above an opened group moves, though its left side leaves the screen", () => {
  const before = placed({ a: [45, 0, 10, 10], group: [40, 30, 20, 10] });
  const after = placed({ a: [145, 0, 10, 10], group: [60, 30, 180, 90] });
  const moved = anchor(view, before, after, "group", screen);
  expect(pixelOf(moved, 145, 0)).toEqual(pixelOf(view, 45, 0));
  expect(pixelOf(moved, 0, 30)[1]).toBe(pixelOf(view, 0, 30)[1]);
  // And back.
  expect(pixelOf(anchor(moved, after, before, "group", { left: 100, top: 0, right: 200, bottom: 100 }), 45, 0)).toEqual(
    pixelOf(view, 45, 0),
  );
});

test("an opened group that is alone on screen keeps its corner", () => {
  const before = placed({ far: [500, 0, 10, 10], group: [40, 30, 20, 10] });
  const after = placed({ far: [700, 0, 10, 10], group: [25, 80, 200, 90] });
  const moved = anchor(view, before, after, "group", screen);
  expect(pixelOf(moved, 25, 80)).toEqual(pixelOf(view, 40, 30));
});

test("a group that opens above the screen moves nothing on it", () => {
  const before = placed({ group: [40, -300, 20, 10], seen: [45, 50, 10, 10], below: [45, 80, 10, 10] });
  const after = placed({ group: [0, -300, 200, 190], seen: [95, 230, 10, 10], below: [95, 260, 10, 10] });
  const moved = anchor(view, before, after, "group", screen);
  expect(pixelOf(moved, 95, 230)).toEqual(pixelOf(view, 45, 50));
  expect(pixelOf(moved, 95, 260)).toEqual(pixelOf(view, 45, 80));
});

test("instead of a box that is gone, the one nearest to it keeps its corner", () => {
  const before = placed({ gone: [50, 50, 1, 1], far: [0, 0, 1, 1], near: [48, 50, 1, 1] });
  const after = placed({ far: [5, 5, 1, 1], near: [20, 20, 1, 1] });
  const moved = anchor(view, before, after, "gone", screen);
  expect(pixelOf(moved, 20, 20)).toEqual(pixelOf(view, 48, 50));
});

test("another graph has no box to keep", () => {
  expect(anchor(view, placed({ a: [1, 1, 1, 1] }), placed({}), "a", screen)).toBe(view);
});
