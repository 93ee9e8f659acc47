import { expect, test } from "vitest";
import { statusOf } from "./status";

test("the age of the last event tells whether a run is being written", () => {
  const now = 1_000_000;
  expect([now - 1, now - 60, now - 3600, null].map((wall) => statusOf(wall, now * 1000))).toEqual([
    "writing",
    "idle",
    "stopped",
    "stopped",
  ]);
});
