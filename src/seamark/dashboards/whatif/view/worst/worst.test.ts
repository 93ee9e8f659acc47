import { expect, test } from "vitest";
import type { WorstSlicesResult } from "../wire";
import { footer, overallNote, sliceText, thresholdsBySlice } from "./worst";

const RESULT: WorstSlicesResult = {
  overall: 0.132,
  metric: "error",
  slices: [],
  tried: 4812,
  min_rows: 50,
  max_p: 0.01,
  correction: "Holm",
  took_ms: 12,
  notes: [],
};
const SLICE = {
  conditions: [
    { column: "sex", values: ["Female"] },
    { column: "hours", at_least: 50 },
  ],
  rows: 612,
  error: 0.412,
  half_interval: 0.039,
  ratio: 3.12,
  p_value: 1e-9,
};

test("a slice is its conditions, its error, its rows and how many times worse it is", () => {
  expect(sliceText(SLICE, RESULT)).toEqual({
    title: "sex = Female, hours ≥ 50",
    error: "41.2%",
    rows: "612 rows · ± 3.9",
    ratio: "3.1×",
  });
  expect(overallNote(RESULT)).toBe("error, all 13.2%");
});

test("errors of a regression are no percentages", () => {
  const result = { ...RESULT, metric: "mean absolute error", overall: 2.5 };
  expect(sliceText(SLICE, result).error).not.toContain("%");
  expect(overallNote({ ...result, overall: null })).toBe("mean absolute error");
});

test("the footer says how much was tried and what was demanded", () => {
  expect(footer(RESULT)).toBe("4,812 slices tried, support ≥ 50, Holm-corrected p < 0.01, overlaps removed.");
});

test("thresholds of named slices are sent, so that both count the same errors", () => {
  const slice = { name: "Female", conditions: [{ column: "sex", values: ["Female"] }], threshold: 0.22 };
  expect(thresholdsBySlice([slice])).toEqual({ thresholds_by: ["sex"], thresholds: { Female: 0.22 } });
  expect(thresholdsBySlice([{ ...slice, conditions: [{ column: "age", at_least: 4 }] }])).toEqual({});
});
