import { expect, test } from "vitest";
import { asWords, differenceOf } from "./pixels";

test("equal images differ nowhere, and one changed pixel is found", () => {
  const a = Uint8ClampedArray.of(10, 20, 30, 255, 0, 0, 0, 255);
  expect(differenceOf(a, a)).toEqual({ mean: 0, largest: 0, share: 0 });
  const b = Uint8ClampedArray.of(10, 20, 30, 255, 6, 0, 60, 255);
  expect(differenceOf(a, b)).toEqual({ mean: 11, largest: 60, share: 0.5 });
  expect(differenceOf([], [])).toEqual({ mean: 0, largest: 0, share: 0 });
});

test("grey is one number, and only a transparent pixel tells its alpha", () => {
  expect([asWords([7, 7, 7, 255]), asWords([255, 0, 3, 255]), asWords([1, 2, 3, 40])]).toEqual([
    "7",
    "255 0 3",
    "1 2 3 α 40",
  ]);
});
