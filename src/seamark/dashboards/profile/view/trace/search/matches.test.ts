import { expect, test } from "vitest";
import { matchText, positionOf, stepMatch } from "./matches";

const MATCHES = {
  total: 3,
  longest: 9,
  slice: Uint32Array.of(5, 9, 7),
  row: Int32Array.of(0, 1, 0),
  start: Float64Array.of(100, 200, 300),
  duration: Float64Array.of(1, 50, 1),
};

test("next and previous go round", () => {
  expect(positionOf(MATCHES, 9)).toBe(1);
  expect(stepMatch(MATCHES, 1, 1, 0)).toBe(2);
  expect(stepMatch(MATCHES, 2, 1, 0)).toBe(0);
  expect(stepMatch(MATCHES, 0, -1, 0)).toBe(2);
});

test("without a selected match the search begins in what is visible", () => {
  expect(stepMatch(MATCHES, -1, 1, 150)).toBe(1);
  expect(stepMatch(MATCHES, -1, -1, 150)).toBe(0);
  expect(stepMatch(MATCHES, -1, 1, 900)).toBe(0);
});

test("the count says which one, how many, or none", () => {
  expect(matchText(MATCHES, 1)).toBe("2 of 3");
  expect(matchText({ ...MATCHES, total: 12_000 }, -1)).toBe("12,000 found");
  expect(matchText({ ...MATCHES, total: 0 }, -1)).toBe("No matches");
  expect(matchText(null, -1)).toBe("");
});
