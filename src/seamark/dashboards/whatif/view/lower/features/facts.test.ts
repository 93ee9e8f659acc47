import { expect, it } from "vitest";
import type { FeatureStatistics } from "../../wire";
import { factsOf } from "./facts";

const base = { type: "number", rows: 10, missing: 2, zeros: 1, distinct: 4, quantiles: [], top: [], drift: null };
const empty = { mean: null, deviation: null, skewness: null };
const feature = (more: object): FeatureStatistics => ({ ...base, ...empty, ...more }) as unknown as FeatureStatistics;

it("has the quantiles of a number", () => {
  const quantiles = [0, 1, 2, 3, 4, 5, 6];
  expect(factsOf(feature({ mean: 3, deviation: 1.5, skewness: 0.04, quantiles }))).toEqual([
    "mean 3 ± 1.5 · skew 0 · 20.0% missing · 10.0% zero",
    "5%\u00a01 · 25%\u00a02 · median\u00a03 · 75%\u00a04 · 95%\u00a05",
  ]);
});

it("has the most frequent values of a category", () => {
  const top = ["a", "", "b", "c", "d"].map((name, i) => ({ name, count: 5 - i, other: 0 }));
  expect(factsOf(feature({ type: "category", top, drift: 0.125 }))).toEqual([
    "4 values · 20.0% missing · drift 0.13",
    "a 50.0% · b 30.0% · c 20.0%",
  ]);
});

it("says nothing of a number without values", () => {
  expect(factsOf(feature({ missing: 10, zeros: 0 }))).toEqual(["100.0% missing"]);
});
