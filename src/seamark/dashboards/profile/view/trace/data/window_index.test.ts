import { expect, test } from "vitest";
import { newWindow } from "./testing";
import { WindowIndex } from "./window_index";

const INDEX = new WindowIndex(
  newWindow([
    [0, 0, 100],
    [0, 100, 50],
    [0, 300, 0],
    [2, 10, 20],
  ]),
  { start: 0, end: 1000 },
);

test("the slice under the pointer is found, at a border the one that begins there", () => {
  expect(INDEX.sliceAt(0, 50, 1)).toBe(0);
  expect(INDEX.sliceAt(0, 100, 1)).toBe(1);
  expect(INDEX.sliceAt(2, 15, 1)).toBe(3);
});

test("a narrow slice is found from a few pixels away, the nearest first", () => {
  expect(INDEX.sliceAt(0, 304, 5)).toBe(2);
  expect(INDEX.sliceAt(0, 310, 5)).toBe(-1);
  expect(INDEX.sliceAt(0, 155, 200)).toBe(1);
});

test("rows without slices have none", () => {
  expect(INDEX.sliceAt(1, 15, 100)).toBe(-1);
  expect(INDEX.endOf(1) - INDEX.firstAfter(1, 0)).toBe(0);
});

test("the slices of a span are listed by start, up to a limit", () => {
  expect(INDEX.inSpan([0, 2], { start: 5, end: 120 }, 10)).toEqual([0, 3, 1]);
  expect(INDEX.inSpan([0, 2], { start: 5, end: 120 }, 1)).toEqual([0]);
});
