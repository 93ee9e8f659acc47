import { expect, test } from "vitest";
import { limitsError, parseLimit } from "./limits";

test("numbers are read as people write them", () => {
  expect(
    ["", "  ", "0.5", "1e-3", "−2", "25k", "2.5M", "1,000,000", "75%", ".5"].map((text) => parseLimit(text)),
  ).toEqual([null, null, 0.5, 0.001, -2, 25_000, 2_500_000, 1_000_000, 0.75, 0.5]);
  expect(["abc", "1x", "k", "1 2"].map((text) => parseLimit(text))).toEqual([NaN, NaN, NaN, NaN]);
});

test("along time, units of time", () => {
  expect(["90s", "15m", "1h 30m", "2d", "60"].map((text) => parseLimit(text, { isTime: true }))).toEqual([
    90, 900, 5400, 172_800, 60,
  ]);
  expect(parseLimit("1h x", { isTime: true })).toBeNaN();
});

test("what cannot be drawn is explained", () => {
  expect(limitsError({ from: 1, to: null })).toBe("");
  expect(limitsError({ from: 2, to: 1 })).toContain("below the upper");
  expect(limitsError({ from: NaN, to: 1 })).toContain("Not a number");
  expect(limitsError({ from: 0, to: 1 }, { isLog: true })).toContain("above zero");
});
