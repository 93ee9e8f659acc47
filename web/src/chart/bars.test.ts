import { expect, test } from "vitest";
import { barAt, barsWithin, heightOfBars, planBars } from "./bars";
import type { ChartSpec } from "./spec";
import { barsAsText } from "./svg";
import { setOf } from "./testing";

const specOf = (values: readonly number[], more: Partial<ChartSpec> = {}): ChartSpec => ({
  label: "",
  set: setOf(...values.map((value) => [value])),
  bars: values.map((_, index) => index),
  theme: "light",
  styleOf: () => ({ token: "#123456", dashed: false, live: false }),
  ...more,
});
const planOf = (values: readonly number[], more: Partial<ChartSpec> = {}) =>
  planBars(specOf(values, more), { width: 400, height: 200, maxBars: 100 })!;
const widths = (values: readonly number[], more: Partial<ChartSpec> = {}) =>
  planOf(values, more).bars.map(({ width }) => Math.round(width));

test("a bar begins at zero and is as long as its value, to the left if that is negative", () => {
  const { frame, bars } = planOf([4, 2, -4]);
  const zero = frame.toX(0);
  expect(bars.map(({ left, width }) => [left < zero, Math.round(width / bars[1]!.width)])).toEqual([
    [false, 2],
    [false, 1],
    [true, 2],
  ]);
  expect(bars.map(({ valueText }) => valueText)).toEqual(["4.0000", "2.0000", "−4.0000"]);
  expect(frame.yTicks.map(({ label }) => label)).toEqual(["run0", "run1", "run2"]);
  expect(bars[0]!.y).toBeLessThan(bars[1]!.y);
  expect(widths([0, 0])).toEqual([1, 1]);
});

test("what has no place on the axis has no bar, and says so", () => {
  const { bars } = planOf([NaN, 1, Infinity]);
  expect(bars.map(({ note, valueText }) => [note, valueText])).toEqual([
    ["▲", "NaN"],
    ["", "1.0000"],
    ["▲", "∞"],
  ]);
  expect(planOf([NaN]).bars[0]!.width).toBe(0);
});

test("a log axis begins at the power of ten below the smallest value, and has no place for zero", () => {
  const { frame, bars } = planOf([10, 100, 0, -1], { yScale: "log" });
  expect(frame.x).toEqual({ from: 1, to: 100 });
  expect(bars[1]!.width / bars[0]!.width).toBeCloseTo(2);
  expect(bars.map(({ note }) => note)).toEqual(["", "", "not on a log axis", "not on a log axis"]);
  expect(planOf([0, -1], { yScale: "log" }).bars).toHaveLength(2);
  expect(widths([1e-3, -1e3], { yScale: "symlog" }).every((width) => width > 0)).toBe(true);
});

test("rows have the order that is asked for, a pixel finds its row, and what does not fit is counted", () => {
  const plan = planBars(specOf([1, 2, 3], { bars: [2, 0, 1] }), { width: 400, height: 60, maxBars: 2 })!;
  expect([plan.bars.map(({ series }) => series), plan.leftOut]).toEqual([[2, 0], 1]);
  expect(plan.bars.map(({ y }) => barAt(plan, y)?.series)).toEqual([2, 0]);
  expect([barAt(plan, -5), barAt(plan, 1e4)]).toEqual([undefined, undefined]);
  expect(barsWithin(heightOfBars(12))).toBe(12);
  expect(planBars(specOf([]), { width: 400, height: 60, maxBars: 2 })).toBeNull();
});

test("limits that a person typed end the bars, and their values stay", () => {
  const { bars, frame } = planOf([5, 50], { limits: { x: null, y: { from: 0, to: 10 } } });
  expect(bars[1]!.left + bars[1]!.width).toBeCloseTo(frame.right);
  expect(bars[1]!.valueText).toBe("50.0000");
});

test("a picture has names, values, and how many more there are", () => {
  const colours = { surface: "#fff", text: "#666", strong: "#000", grid: "#eee", base: "#ccc", warn: "#fa0" };
  const layout = { plan: null, legend: "none", scale: 1, left: 0, top: 24, width: 400, height: 240 } as const;
  const spec = specOf(Array.from({ length: 40 }, (_, index) => index));
  const svg = barsAsText(spec, { width: 400, height: 240, title: "", xTitle: "<b>" }, layout, colours).join("");
  expect(barsWithin(240 - 24 - 16 - 15)).toBe(9);
  expect(svg.match(/<rect/g)).toHaveLength(9);
  for (const text of ["run0", "8.0000", "and 31 more", "&lt;b&gt;"]) expect(svg).toContain(`>${text}</text>`);
});
