import { expect, test } from "vitest";
import {
  averagesOf,
  bestF1,
  contourPrecision,
  curvesAddress,
  cardsOf,
  indexOf,
  pointsOf,
  parseSteps,
  thresholdIndex,
  type Curve,
} from "./model";

const CURVE: Curve = {
  thresholds: [0, 0.25, 0.5, 0.75, 1],
  true_positives: [3, 3, 2, 1, 0],
  false_positives: [2, 1, 1, 0, 0],
  true_negatives: [0, 1, 1, 2, 2],
  false_negatives: [0, 0, 1, 2, 3],
  precision: [0.6, 0.75, 2 / 3, 1, 0],
  recall: [1, 1, 2 / 3, 1 / 3, 0],
  f1: [0.75, 6 / 7, 2 / 3, 0.5, 0],
  end: 4,
  average_precision: 0.9,
  area: 0.9,
};

test("what lies above the last positive is not drawn", () => {
  expect(pointsOf(CURVE).map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  expect(pointsOf({ ...CURVE, precision: [0.6, null, 2 / 3, 1, 0] }).map(({ at }) => at)).toEqual([0, 2, 3]);
});

test("the best F1 names its threshold; without any true positive there is none", () => {
  expect(bestF1(CURVE)).toEqual({ at: 1, f1: 6 / 7 });
  expect(bestF1({ ...CURVE, f1: [0, 0, null, 0, 0] })).toBeNull();
});

test("a threshold means the nearest that was logged", () => {
  expect(thresholdIndex(CURVE, 0.6)).toBe(2);
  expect(thresholdIndex(CURVE, 0.7)).toBe(3);
});

test("a contour holds its F1", () => {
  const precision = contourPrecision(0.6, 0.75)!;
  expect((2 * precision * 0.75) / (precision + 0.75)).toBeCloseTo(0.6);
  expect(contourPrecision(0.8, 0.3)).toBeNull();
});

test("runs follow one step, or their own, or the newest", () => {
  const steps = [0, 10, 20];
  expect(indexOf(steps, "a", { linked: null, each: {} })).toBe(2);
  expect(indexOf(steps, "a", { linked: 9, each: { a: 20 } })).toBe(1);
  expect(indexOf(steps, "a", { linked: null, each: { a: 0 } })).toBe(0);
});

test("a chosen step is one for all runs, or one for each", () => {
  expect(parseSteps(10)).toEqual({ linked: 10, each: {} });
  expect(parseSteps({ a: 5, b: "x" })).toEqual({ linked: null, each: { a: 5 } });
  for (const field of [undefined, null, "x", Infinity]) expect(parseSteps(field)).toEqual({ linked: null, each: {} });
});

test("a tag has one card for all shown runs that logged it", () => {
  const entry = { tag: "eval/pr", runs: ["a", "b"] };
  expect(cardsOf(entry, ["b", "c", "a"])).toEqual([{ key: "eval/pr", tag: "eval/pr", runs: ["b", "a"] }]);
  expect(cardsOf(entry, ["c"])).toEqual([]);
});

test("names are escaped in addresses", () => {
  expect(curvesAddress("a&b", [{ run: "r=1", index: 3 }])).toBe(
    "api/dashboards/pr_curves/curves?tag=a%26b&run=r%3D1&index=3",
  );
});

test("average precision becomes one line per run", () => {
  const known = {
    a: {
      index: [0, 1],
      steps: [0, 10],
      walls: [5, 6],
      areas: [
        [0, 0.5, 0.5],
        [1, 0.75, 0.7],
      ] as const,
      computed: 2,
    },
  };
  const set = averagesOf(known, ["a", "missing"], (run) => run.toUpperCase());
  expect([...set.x]).toEqual([0, 10]);
  expect([...set.curve]).toEqual([0.5, 0.75]);
  expect(set.series.map(({ name }) => name)).toEqual(["A"]);
  expect([...set.offsets]).toEqual([0, 2]);
});
