import { expect, test } from "vitest";
import { windowAround } from "./time_window";

test("a window is a hundredth of the trace around the time, but not too narrow to see", () => {
  expect(windowAround(5_000_000, { start: 0, end: 10_000_000 })).toEqual({ start: "4950000", end: "5050000" });
  expect(windowAround(700, { start: 0, end: 1000 })).toEqual({ start: "200", end: "1200" });
});
