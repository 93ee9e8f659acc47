import { expect, test } from "vitest";
import {
  counted,
  formatAxis,
  formatBytes,
  formatCount,
  formatMicroseconds,
  formatSeconds,
  formatShort,
  formatNumber,
  formatValue,
} from "./format";

test("a count has its noun", () => {
  expect([counted(0, "run"), counted(1, "run"), counted(2000, "run")]).toEqual(["0 runs", "1 run", "2,000 runs"]);
});

test("an axis label is short and keeps its sign", () => {
  expect([0, 0.25, 1, 999.5, 25_000, -1500, 2_500_000, 0.0005, 3e12].map(formatAxis)).toEqual([
    "0",
    "0.25",
    "1",
    "999.5",
    "25k",
    "−1.5k",
    "2.5M",
    "5e−4",
    "3e12",
  ]);
});

test("a value shows four digits that mean something, and what is not a number says so", () => {
  expect(
    [0.5, -1.25, 12345.67, 1e-7, NaN, Infinity, -Infinity, 3.52e-6, 3e-5, 12_345_678, 0.99991].map(formatValue),
  ).toEqual(["0.5000", "−1.2500", "12,345.7", "1e−7", "NaN", "∞", "−∞", "3.52e−6", "3e−5", "12,345,678", "0.999910"]);
});

test("time shows its two largest units", () => {
  expect([0.4, 42, 60, 61, 3600, 15_240, 90_000].map(formatSeconds)).toEqual([
    "0.4 s",
    "42 s",
    "1 m",
    "1 m 01 s",
    "1 h",
    "4 h 14 m",
    "1 d 01 h",
  ]);
});

test("counts are grouped and bytes carry a unit", () => {
  expect(formatCount(1_000_000)).toBe("1,000,000");
  expect([12, 3_200_000].map(formatBytes)).toEqual(["12 B", "3.20 MB"]);
});

test("a short number has three digits and a letter", () => {
  expect([0, 72, 999.7, 786_432, 999_999, 124_439_808, -4.83e9, 1.1666e12].map(formatShort)).toEqual([
    "0",
    "72",
    "1k",
    "786k",
    "1M",
    "124M",
    "−4.83G",
    "1.17T",
  ]);
});

test("the time of an operation has the unit that suits it", () => {
  expect([4.5, 230, 41_700, 2_500_000].map(formatMicroseconds)).toEqual(["4.5 µs", "0.23 ms", "41.7 ms", "2.5 s"]);
});

test("measured values and settings write extremes the same way", () => {
  const extremes = [3.52e-6, 3e-5, -2.54321e-5, 12_345_678, 1.5e9, 1e300, NaN, Infinity, -Infinity];
  expect(extremes.map(formatValue)).toEqual(extremes.map(formatNumber));
});
