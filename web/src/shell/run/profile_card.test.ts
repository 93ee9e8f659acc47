import { expect, test } from "vitest";
import { partsOf } from "./profile_card";

test("the parts of the mean step, without those it has not", () => {
  const overview = {
    steps: [1, 2],
    mean: { input: 25, device_compute_16: 75, idle: 0 },
    headline: { step_mean_ns: 100 },
  };
  expect(partsOf(overview).map(({ name, share }) => [name, share])).toEqual([
    ["device_compute_16", 0.75],
    ["input", 0.25],
  ]);
});

test("a profile without steps has no parts", () => {
  expect(partsOf({ steps: [], mean: {}, headline: { step_mean_ns: null } })).toEqual([]);
});
