import { expect, test } from "vitest";
import type { Roofline, RooflineRow } from "../wire";
import { fieldText, limitsOfFields, limitsText, parseLimits, withLimits } from "./limits";
import { attained } from "./scatter";

const row = (change: Partial<RooflineRow> = {}): RooflineRow => ({
  name: "dot",
  category: "",
  calls: 1,
  self_ns: 1000,
  flops: 1e7,
  bytes: 1e6,
  flop_rate: 1e10,
  intensity: 10,
  bound: "unknown",
  ...change,
});
const withoutPeaks: Roofline = {
  rows: [row(), row({ name: "copy", flops: 1e5, flop_rate: 1e8, intensity: 0.1 }), row({ bytes: 0, intensity: 0 })],
  peak_flop_rate: null,
  peak_bandwidth: null,
  are_peaks_nominal: false,
  notes: ["FLOPs follow from the compiled programs"],
  peaks_note: "The trace does not say what the device can do at most",
};

test("limits survive the address, and anything else in it is none", () => {
  expect(parseLimits(limitsText({ rate: 5e10, bandwidth: 2e10 }))).toEqual({ rate: 5e10, bandwidth: 2e10 });
  for (const text of [undefined, "", "5e10", "5e10,", "0,1", "-1,1", "1,Infinity", "a,b", "1,2,3"]) {
    expect(parseLimits(text), text).toBeNull();
  }
});

test("the fields are in giga, and both are needed", () => {
  expect(limitsOfFields("50", "20.5")).toEqual({ rate: 5e10, bandwidth: 2.05e10 });
  for (const [rate, bandwidth] of [
    ["50", ""],
    ["", ""],
    ["0", "20"],
    ["fast", "20"],
  ] as const) {
    expect(limitsOfFields(rate, bandwidth)).toBeNull();
  }
  expect([fieldText(2.05e10), fieldText(null)]).toEqual(["20.5", ""]);
});

test("operations are bound by what limits them below the given limits", () => {
  const found = withLimits(withoutPeaks, { rate: 2e10, bandwidth: 1e10 });
  expect(found.rows.map(({ bound }) => bound)).toEqual(["compute", "memory", "unknown"]);
  expect(found.rows.map((each) => attained(each, found))).toEqual([0.5, 0.1, null]);
  expect(found.notes).toEqual(withoutPeaks.notes);
  expect(found.peaks_note).toContain("given on this page");
});
