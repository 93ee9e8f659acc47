import { expect, test } from "vitest";
import type { Roofline, RooflineRow } from "../wire";
import { attained, plotted, rangesOf, rateText, ridgeOf, roofAt, rowAt, scatterFrame } from "./scatter";

const row = (change: Partial<RooflineRow> = {}): RooflineRow => ({
  name: "fusion",
  category: "",
  calls: 2,
  self_ns: 1000,
  flops: 4e7,
  bytes: 2e5,
  flop_rate: 4e13,
  intensity: 200,
  bound: "compute",
  ...change,
});
const roofline = (rows: RooflineRow[]): Roofline => ({
  rows,
  peak_flop_rate: 1e14,
  peak_bandwidth: 1e12,
  are_peaks_nominal: false,
  notes: [],
  peaks_note: "",
});

test("the roof rises with the intensity up to the ridge", () => {
  expect(ridgeOf(roofline([]))).toBe(100);
  expect(roofAt(10, 1e14, 1e12)).toBe(1e13);
  expect(roofAt(1000, 1e14, 1e12)).toBe(1e14);
  expect(attained(row(), roofline([]))).toBeCloseTo(0.4);
  expect(attained(row(), { ...roofline([]), peak_bandwidth: null })).toBeNull();
});

test("axes are whole decades around points and ridge", () => {
  const { x, y } = rangesOf(roofline([row({ intensity: 0.5, flop_rate: 3e9 })]));
  expect(x).toEqual({ from: 0.1, to: 1000 });
  expect(y).toEqual({ from: 1e9, to: 1e15 });
});

test("operations without a rate have no place", () => {
  expect(plotted(roofline([row(), row({ intensity: 0 })]))).toHaveLength(1);
});

test("the smallest point below the pointer is found", () => {
  const small = row({ name: "copy", self_ns: 10 });
  const data = roofline([row(), small]);
  const frame = scatterFrame({ width: 500, height: 300 }, data);
  expect(rowAt(data, frame, frame.toX(200), frame.toY(4e13))).toBe(small);
  expect(rowAt(data, frame, 0, 0)).toBeNull();
});

test("rates have their unit", () => {
  expect(rateText(4.52e13)).toBe("45.2 TFLOP/s");
  expect(rateText(12)).toBe("12 FLOP/s");
});
