import { expect, test } from "vitest";
import { rangeToRead, readWidth } from "./reading";

test("what is whole and unfolded needs no second look, however deep the zoom", () => {
  expect(rangeToRead({ from: 5, to: 6 }, { range: null, isDownsampled: false })).toBeNull();
  expect(rangeToRead(null, null)).toBeNull();
});

test("a zoom into downsampled points reads them again, with room to pan", () => {
  const first = rangeToRead({ from: 100, to: 200 }, { range: null, isDownsampled: true })!;
  expect(first).toEqual({ from: 50, to: 250 });
  expect(readWidth(first, 400)).toBe(800);
  const read = { range: first, isDownsampled: true };
  expect(rangeToRead({ from: 120, to: 220 }, read)).toBe(first);
  expect(rangeToRead({ from: 160, to: 260 }, read)).toEqual({ from: 110, to: 310 });
});

test("deeper still until every point is there", () => {
  const range = { from: 50, to: 250 };
  expect(rangeToRead({ from: 120, to: 160 }, { range, isDownsampled: true })).toEqual({ from: 100, to: 180 });
  expect(rangeToRead({ from: 120, to: 160 }, { range, isDownsampled: false })).toBe(range);
});
