import { expect, test } from "vitest";
import { DEFAULT_DISTANCE, distanceOfText, distanceTitle, textOfDistance } from "./distance";
import { marksOf } from "./marks";

test("the distance is the same after the address; what is no distance is the default", () => {
  const distance = { norm: "l2", standardize: false, fixed: ["sex"], minDifference: 2 } as const;
  expect(distanceOfText(textOfDistance(distance))).toEqual(distance);
  expect(textOfDistance(DEFAULT_DISTANCE)).toBeUndefined();
  for (const text of [undefined, "{", "3", "null", '{"norm":"l9","fixed":7,"minDifference":-1}'])
    expect(distanceOfText(text)).toEqual(DEFAULT_DISTANCE);
  expect(distanceTitle(distance)).toBe("L2, raw");
});

const POINT = {
  row: 18204,
  changed: { hours: 48 },
  after: { score: 0.36, scores: [], predicted: "> 50k" },
  task: "binary",
  counterfactual: 7061,
  neighbours: [3],
} as const;

test("the edited point, its counterfactual and its neighbours are marked", () => {
  expect(marksOf(POINT)).toEqual([
    { type: "neighbour", row: 3 },
    {
      type: "edited",
      row: 18204,
      values: { hours: 48, "=score": 0.36, "=predicted": "> 50k" },
      label: "row 18,204, now 0.36",
      shortLabel: "now 0.36",
    },
    { type: "counterfactual", row: 7061, label: "counterfactual, row 7,061", shortLabel: "counterfactual" },
  ]);
});

test("a point without edits has no old position", () => {
  expect(marksOf({ ...POINT, changed: {}, counterfactual: null, neighbours: [] })).toEqual([]);
  expect(marksOf({ ...POINT, row: null })).toEqual([]);
});
