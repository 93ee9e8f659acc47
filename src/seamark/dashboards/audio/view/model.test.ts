import { expect, test } from "vitest";
import { kilohertz, loopOf, seconds } from "./model";

test("a loop lies within the clip, whichever way it was drawn", () => {
  expect(loopOf([0.8, 0.2], 1)).toEqual({ from: 0.2, to: 0.8 });
  expect(loopOf([-1, 9], 2)).toEqual({ from: 0, to: 2 });
  for (const bad of [undefined, "x", [1], [1, "b"], [0.5, 0.5], [5, 6, 7]]) expect(loopOf(bad, 10)).toBeNull();
  expect(loopOf([5, 6], 1)).toBeNull();
});

test("numbers as a person says them", () => {
  expect([kilohertz(16_000), kilohertz(22_050), seconds(1.5), seconds(83.25)]).toEqual([
    "16 kHz",
    "22.05 kHz",
    "1.50 s",
    "1:23.3",
  ]);
});
