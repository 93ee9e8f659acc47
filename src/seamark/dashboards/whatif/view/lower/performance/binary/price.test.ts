import { expect, it } from "vitest";
import type { StrategyResult } from "../../../wire";
import { priceSentence } from "./price";

const result = (strategy: StrategyResult["strategy"], cost: number | null): StrategyResult => ({
  strategy,
  thresholds: [0.2, 0.4],
  cost,
  gap: 0,
});
const RESULTS = [
  result("single", 153.6),
  result("per_group", 153.2),
  result("equal_opportunity", 179),
  result("equalized_odds", null),
];

it("prices a strategy beside the best thresholds", () => {
  expect(priceSentence("equal_opportunity", RESULTS)).toBe(
    "Equal opportunity costs 26 more than the best thresholds of each group.",
  );
  expect(priceSentence("single", RESULTS)).toBe(
    "Single threshold costs 1 more than the best thresholds of each group.",
  );
});

it("says nothing where there is nothing to compare", () => {
  expect(priceSentence("per_group", RESULTS)).toBe("");
  expect(priceSentence("equalized_odds", RESULTS)).toBe("");
  expect(priceSentence("custom", RESULTS)).toBe("");
});
