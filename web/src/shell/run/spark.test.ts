import { expect, test } from "vitest";
import { areaOf, boxOf, pathOf, rowAt } from "./spark";

test("a line fills its box, upward", () => {
  const line = { x: [0, 10, 20], y: [1, 3, 2] };
  const box = boxOf([line])!;
  expect(box).toEqual({ x0: 0, x1: 20, y0: 1, y1: 3 });
  expect(pathOf(line, box)).toBe("M0.00 100.00h0L50.00 0.00L100.00 50.00");
  expect(areaOf(line, box)).toBe("M0.00 100L0.00 100.00L50.00 0.00L100.00 50.00L100.00 100Z");
  expect([0, 0.2, 0.3, 1].map((share) => rowAt(line, box, share))).toEqual([0, 0, 1, 2]);
});

test("what is not finite is a gap, and nothing finite is no box", () => {
  const line = { x: [0, 1, 2, 3], y: [1, NaN, Infinity, 2] };
  expect(pathOf(line, boxOf([line])!)).toBe("M0.00 100.00h0M100.00 0.00h0");
  expect(boxOf([{ x: [0, 1], y: [NaN, NaN] }])).toBeNull();
  expect(boxOf([])).toBeNull();
});

test("a constant lies in the middle, a spike does not flatten the rest", () => {
  const flat = { x: [0, 1], y: [5, 5] };
  expect(pathOf(flat, boxOf([flat])!)).toContain("50.00");
  const spiky = {
    x: Array.from({ length: 100 }, (_, at) => at),
    y: Array.from({ length: 100 }, (_, at) => (at === 50 ? 1e9 : at)),
  };
  expect(boxOf([spiky])!.y1).toBeLessThan(100);
  expect(boxOf([spiky], { wholeY: true })!.y1).toBe(1e9);
});
