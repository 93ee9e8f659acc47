import { describe, expect, it } from "vitest";
import type { SlicePerformance } from "../wire";
import { confusionAt, costOf, differenceOf, f1Of, rateOf, sumOf, thresholdIndex } from "./confusion";

const slice = {
  positives: 10,
  negatives: 90,
  counts: { true_positives: [10, 8, 3], false_positives: [90, 20, 1] },
} as unknown as SlicePerformance;

describe("confusion at a threshold", () => {
  it("takes the first threshold at or above the slider", () => {
    expect([0, 0.1, 0.3, 0.30000000000000004, 0.31, 1].map((t) => thresholdIndex([0, 0.3, 0.6], t))).toEqual([
      0, 1, 1, 1, 2, 3,
    ]);
  });

  it("follows from the counts at or above it", () => {
    expect(confusionAt(slice, 1)).toEqual({
      truePositives: 8,
      falseNegatives: 2,
      falsePositives: 20,
      trueNegatives: 70,
    });
    expect(confusionAt(slice, 3)).toEqual({
      truePositives: 0,
      falseNegatives: 10,
      falsePositives: 0,
      trueNegatives: 90,
    });
  });

  it("has a cost of 1,000 rows and an F1", () => {
    expect(costOf(confusionAt(slice, 1), 2)).toBe(240);
    expect(f1Of(confusionAt(slice, 1))).toBeCloseTo(16 / 38);
    expect(costOf(sumOf([]), 1)).toBeNull();
    expect(f1Of(sumOf([]))).toBeNull();
  });

  it("adds up slices", () => {
    expect(sumOf([confusionAt(slice, 0), confusionAt(slice, 2)])).toEqual({
      truePositives: 13,
      falseNegatives: 7,
      falsePositives: 91,
      trueNegatives: 89,
    });
  });
});

describe("intervals", () => {
  it("are Wilson's, as statsmodels computes them", () => {
    const { low, high } = rateOf(8, 10);
    expect(low).toBeCloseTo(0.490162, 5);
    expect(high).toBeCloseTo(0.943318, 5);
    expect(rateOf(0, 20).low).toBe(0);
    expect(rateOf(0, 0).value).toBeNull();
  });

  it("of differences are Newcombe's: 56/70 and 48/80, his example", () => {
    const { value, low, high } = differenceOf(rateOf(56, 70), rateOf(48, 80));
    expect(value).toBeCloseTo(0.2);
    expect(low).toBeCloseTo(0.0524, 4);
    expect(high).toBeCloseTo(0.3339, 4);
  });
});
