import { expect, test } from "vitest";
import { LINEAR } from "./scale";
import { rangeX, rangeY, scaleFor, shownIn } from "./spec";
import { setOf } from "./testing";

test("hidden and empty series are not drawn", () => {
  const set = setOf([1], [], [2], [3]);
  expect(shownIn(set, (key) => key !== "run2")).toEqual([0, 3]);
  expect(shownIn(set, undefined)).toEqual([0, 2, 3]);
});

test("typed limits win; a point alone gets room; nothing has no range", () => {
  const set = setOf([5], []);
  expect(rangeX({ set, shown: [0] }, LINEAR, undefined)).toEqual({ from: -0.5, to: 0.5 });
  expect(rangeX({ set, shown: [0] }, LINEAR, { x: { from: 9, to: 3 }, y: null })).toEqual({ from: 3, to: 9 });
  expect(rangeX({ set, shown: [1] }, LINEAR, undefined)).toBeNull();
});

test("an axis that begins almost at zero begins there", () => {
  const set = { ...setOf([1, 1, 1]), x: Float64Array.of(5, 500, 1000) };
  expect(rangeX({ set, shown: [0] }, LINEAR, undefined)).toEqual({ from: 0, to: 1000 });
  expect(rangeX({ set: { ...set, x: Float64Array.of(50, 500, 1000) }, shown: [0] }, LINEAR, undefined)!.from).toBe(50);
});

test("a log x axis begins with the first positive step", () => {
  const set = setOf([5, 6, 7, 8]);
  expect(rangeX({ set, shown: [0] }, { kind: "log", constant: 1 }, undefined)).toEqual({ from: 1, to: 3 });
});

test("without a finite value there is still a baseline", () => {
  const options = { x: { from: 0, to: 1 }, scale: LINEAR, limits: undefined, clipOutliers: true, curvesOnly: false };
  expect(rangeY({ set: setOf([NaN]), shown: [0] }, options).range).toEqual({ from: 0, to: 1 });
  const typed = rangeY({ set: setOf([1]), shown: [0] }, { ...options, limits: { x: null, y: { from: -1, to: 4 } } });
  expect(typed.range).toEqual({ from: -1, to: 4 });
});

test("what a zoom leaves out is counted", () => {
  const options = { x: { from: 0, to: 1 }, scale: LINEAR, clipOutliers: true, curvesOnly: false };
  const scope = { set: setOf([1, 2], [8, 9], [-3, 1]), shown: [0, 1, 2] };
  expect(rangeY(scope, { ...options, limits: undefined }).clipped).toEqual({ above: 0, below: 0, unplaceable: 0 });
  const zoomed = rangeY(scope, { ...options, limits: { x: null, y: { from: 0, to: 5 } } });
  expect([zoomed.whole, zoomed.clipped]).toEqual([
    { from: -3, to: 9 },
    { above: 1, below: 1, unplaceable: 0 },
  ]);
});

test("symlog turns where the values are small", () => {
  expect(scaleFor("symlog", { set: setOf([0.02, 0.03]), shown: [0] }, "y").constant).toBeCloseTo(0.01);
});
