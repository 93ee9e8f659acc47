import { expect, test } from "vitest";
import { AT_MISSING, AT_NON_FINITE, axisOf, rounded, defaultScale, type ScaleName } from "./axes";
import { type Cell } from "../columns/columns";
import { columnFrom } from "../columns/testing";

const numbers = (values: readonly Cell[]) => columnFrom({ id: "param:x", type: "number", values });
const axis = (values: readonly Cell[], scale?: ScaleName, flipped = false) =>
  axisOf(numbers(values), { scale, flipped });
const at = (found: { at: Float32Array }): number[] => [...found.at].map((share) => Math.round(share * 1000) / 1000);

test("each scale puts the ends at the ends and the middle where it says", () => {
  expect(at(axis([0, 5, 10], "linear"))).toEqual([0, 0.5, 1]);
  expect(at(axis([1e-4, 1e-3, 1e-2], "log"))).toEqual([0, 0.5, 1]);
  expect(at(axis([1, 2, 1000], "quantile"))).toEqual([0, 0.5, 1]);
  expect(at(axis([1, 1, 1000], "quantile"))).toEqual([0.25, 0.25, 1]);
  expect(at(axis([0, 5, 10], "linear", true))).toEqual([1, 0.5, 0]);
});

test("a log axis has room for zero", () => {
  const [zero, small, large] = at(axis([0, 1e-4, 1e-2], "log"));
  expect(zero).toBe(0);
  expect(small).toBeGreaterThan(0);
  expect(large).toBe(1);
});

test("steps spread the trials of one value, but never into the next", () => {
  const found = axis([64, 64, 64, 128, 128, 128], "steps");
  const places = [...found.at];
  expect(new Set(places).size).toBe(6);
  expect(places.every((share, row) => Math.floor(share * 2) === (row < 3 ? 0 : 1))).toBe(true);
  expect(found.ticks).toEqual([
    { at: 0.25, label: "64" },
    { at: 0.75, label: "128" },
  ]);
});

test("what has no place on the axis has one below it", () => {
  const found = axis([1, null, "NaN", 2], "linear");
  expect([...found.at]).toEqual([0, AT_MISSING, AT_NON_FINITE, 1]);
  expect([found.hasMissing, found.hasNonFinite]).toEqual([true, true]);
});

test("the usual scale is the one a person would choose", () => {
  expect(defaultScale(numbers([64, 128, 256, 64, 128, 256]))).toBe("steps");
  expect(defaultScale(numbers([1e-4, 2e-4, 3e-3, 1e-2, 0.1, 0.02, 0.05]))).toBe("log");
  expect(defaultScale(numbers([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]))).toBe("linear");
  expect(defaultScale(numbers([]))).toBe("steps");
  expect(defaultScale(columnFrom({ id: "param:o", type: "text", values: ["a"] }))).toBe("steps");
});

test.each<[ScaleName]>([["linear"], ["log"], ["quantile"]])(
  "on a %s axis what was brushed is where it was brushed",
  (kind) => {
    const found = axis([1e-4, 3e-4, 1e-3, 2.2e-3, 8e-3, 1e-2, 0.05], kind);
    const [pick] = found.picksBetween(0.25, 0.75);
    const [low, high] = found.spanOf(pick!)!;
    expect(low).toBeCloseTo(0.25, 1);
    expect(high).toBeCloseTo(0.75, 1);
  },
);

test("the whole axis holds all of its trials in spite of rounding", () => {
  const values = [0.12345678, 0.5, 0.98765432];
  const [pick] = axis(values, "linear").picksBetween(-0.01, 1.01);
  expect(pick![0]).toBeLessThanOrEqual(0.12345678);
  expect(pick![1]).toBeGreaterThanOrEqual(0.98765432);
});

test("words are picked by name, steps of numbers by their ends, also on an axis that stands on its head", () => {
  const words = axisOf(columnFrom({ id: "param:o", type: "text", values: ["adam", "lamb", "sgd"] }));
  expect(words.picksBetween(0, 0.6)).toEqual(["adam", "lamb"]);
  expect(words.spanOf("sgd")![0]).toBeCloseTo(5 / 6 - 0.14);
  expect(words.spanOf("gone")).toBeNull();
  expect(axis([64, 128, 256], "steps", true).picksBetween(0.6, 1)).toEqual([[64, 64]]);
  expect(axis([64, 128, 256], "steps").picksBetween(0.2, 0.3)).toEqual([]);
});

test("one value, no value and only NaN draw an axis all the same", () => {
  expect(at(axis([7], "linear"))).toEqual([0.5]);
  expect(at(axis([7, 7], "quantile"))).toEqual([0.5, 0.5]);
  expect(at(axis([null, "NaN"], "log"))).toEqual([AT_MISSING, AT_NON_FINITE]);
  expect(axis([null], "quantile").ticks).toEqual([]);
});

test("an end is as round as a pixel allows", () => {
  expect(rounded(0.00030123, 0.00001)).toBe(0.0003);
  expect(rounded(1234.567, 1)).toBe(1235);
  expect(rounded(5, 0)).toBe(5);
});
