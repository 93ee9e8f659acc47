import { expect, test } from "vitest";
import { type HistogramBlock, histogramRows } from "$public/charts";
import { frameFor, levelRange, levelsOf, pictureOf } from "./model";

/** One run; each number is the median of a histogram that reaches from 4 below to 4 above. */
function blockOf(medians: readonly number[]): HistogramBlock {
  const none = new Float64Array(0);
  return {
    tag: "t",
    runs: ["a"],
    run: new Uint32Array(medians.length),
    step: Float64Array.from(medians.keys()),
    wall: Float64Array.from(medians.keys()),
    leftOut: new Float64Array(medians.length),
    offsets: none,
    left: none,
    right: none,
    count: none,
    percentiles: Float64Array.from(
      medians.flatMap((median) => [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((by) => median + by)),
    ),
    points: Float64Array.of(medians.length),
    total: Float64Array.of(medians.length),
    began: Float64Array.of(0),
    replaced: new Float64Array(1),
    problems: new Map(),
    health: [],
  };
}

test("nine levels belong to each step", () => {
  expect([...levelsOf(blockOf([0, 10]), 1)]).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14]);
});

test("the value axis spans minimum to maximum; clipped, a tenth of the steps may leave it", () => {
  const block = blockOf([...Array.from({ length: 19 }, () => 0), 1000]);
  const rows = histogramRows.of(block, ["a"], "step");
  expect(levelRange(block, rows, false)).toEqual({ from: -4, to: 1004 });
  expect(levelRange(block, rows, true)).toEqual({ from: -4, to: 4 });
  expect(levelRange(blockOf([NaN]), histogramRows.of(blockOf([NaN]), ["a"], "step"), false)).toBeNull();
});

test("a step that cannot be read leaves a gap", () => {
  const block = blockOf([0, 1, NaN, 3]);
  const picture = pictureOf(block, histogramRows.of(block, ["a"], "step"), {
    axis: "step",
    along: null,
    value: { from: -4, to: 8 },
    isLog: false,
  });
  expect(picture.parts.map(({ points }) => points.map(({ along }) => along))).toEqual([[0, 1], [3]]);
  expect(picture.along).toEqual({ from: 0, to: 3 });
});

test("what a restart replaced is a part of its own", () => {
  const block = { ...blockOf([0, 1, 2, 3]), replaced: Float64Array.of(2) };
  const picture = pictureOf(block, histogramRows.of(block, ["a"], "step"), {
    axis: "step",
    along: null,
    value: { from: -4, to: 8 },
    isLog: false,
  });
  expect(picture.parts.map(({ alpha, points }) => [alpha < 1, points.map(({ along }) => along)])).toEqual([
    [false, [0, 1]],
    [true, [2, 3]],
  ]);
});

test("a single step lies in the middle, and a log axis goes through zero", () => {
  const block = blockOf([0]);
  const rows = histogramRows.of(block, ["a"], "step");
  const picture = pictureOf(block, rows, { axis: "step", along: null, value: { from: -4, to: 4 }, isLog: true });
  const frame = frameFor(picture, 400, 200);
  expect(frame.toX(0)).toBeCloseTo((frame.left + frame.right) / 2);
  expect(frame.toY(0)).toBeCloseTo((frame.top + frame.bottom) / 2);
});
