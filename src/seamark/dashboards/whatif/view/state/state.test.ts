import { expect, test } from "vitest";
import type { ColumnValues } from "../requests";
import { conditionLabel, conditionsOfText, matchesCondition, textOfConditions } from "./conditions";
import { rowThresholds } from "./thresholds";

const SEX: ColumnValues = { type: "category", values: Int32Array.from([0, 1, -1]), names: ["Male", "Female"] };
const AGE: ColumnValues = { type: "number", values: Float32Array.from([20, 40, NaN]), names: [] };

test("conditions survive the address, and anything else is none", () => {
  const conditions = [
    { column: "sex", values: ["Female"] },
    { column: "age", at_least: 25, below: 65 },
  ];
  expect(conditionsOfText(textOfConditions(conditions))).toEqual(conditions);
  expect(textOfConditions([])).toBeUndefined();
  for (const text of [undefined, "", "{}", "[1, null]"]) expect(conditionsOfText(text)).toEqual([]);
});

test("conditions are read as their label, or as their parts", () => {
  expect(conditionLabel({ column: "age", at_least: 25, below: 65 })).toBe("age 25 to 65");
  expect(conditionLabel({ column: "age", at_least: 25 })).toBe("age ≥ 25");
  expect(conditionLabel({ column: "sex", values: ["Female"] })).toBe("sex = Female");
  expect(conditionLabel({ column: "sex", values: ["x"], label: "split test" })).toBe("split test");
});

test("missing values match no condition", () => {
  const rows = [0, 1, 2];
  expect(rows.filter(matchesCondition(SEX, { column: "sex", values: ["Female", "?"] }))).toEqual([1]);
  expect(rows.filter(matchesCondition(AGE, { column: "age", at_least: 20, below: 40 }))).toEqual([0]);
});

test("each row has the threshold of the first slice that it is in", () => {
  const column = (name: string): ColumnValues | null => ({ sex: SEX, age: AGE })[name] ?? null;
  const slice = (value: string, threshold: number) => ({
    name: value,
    conditions: [{ column: "sex", values: [value] }],
    threshold,
  });
  const thresholds = rowThresholds(3, [slice("Male", 0.25), slice("Female", 0.75)], 0.5, column);
  expect([...thresholds!]).toEqual([0.25, 0.75, 0.5]);
  expect(rowThresholds(3, [slice("Male", 0.25)], 0.5, () => null)).toBeNull();
});
