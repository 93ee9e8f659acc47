import { expect, it } from "vitest";
import { summaryOf } from "./quantiles";

it("finds quantiles between values, and counts what is missing", () => {
  expect(summaryOf(Float32Array.of(4, NaN, 1, 2, 3, Infinity))).toEqual({
    quantiles: [1, 1.75, 2.5, 3.25, 4],
    missing: 2,
  });
  expect(summaryOf(Float32Array.of(NaN))).toBeNull();
});
