import { expect, it } from "vitest";
import type { ColumnValues } from "../requests";
import { conditionLabel, conditionsOfText, matchesCondition, textOfConditions } from "./conditions";

const SEX: ColumnValues = { type: "category", values: Int32Array.of(0, 1, -1, 0), names: ["Female", "Male"] };
const AGE: ColumnValues = { type: "number", values: Float32Array.of(20, 30, 40, NaN), names: [] };
const MEMBER: ColumnValues = { type: "boolean", values: Float32Array.of(1, 0, 1, NaN), names: [] };
const ROWS = [0, 1, 2, 3];

it("finds rows by name, by missing value, by boolean and by range", () => {
  expect(ROWS.filter(matchesCondition(SEX, { column: "sex", values: ["Female"] }))).toEqual([0, 3]);
  expect(ROWS.filter(matchesCondition(SEX, { column: "sex", values: ["Male", ""] }))).toEqual([1, 2]);
  expect(ROWS.filter(matchesCondition(SEX, { column: "sex", values: ["none of them"] }))).toEqual([]);
  expect(ROWS.filter(matchesCondition(MEMBER, { column: "member", values: ["true"] }))).toEqual([0, 2]);
  expect(ROWS.filter(matchesCondition(MEMBER, { column: "member", values: [""] }))).toEqual([3]);
  expect(ROWS.filter(matchesCondition(AGE, { column: "age", at_least: 20, below: 40 }))).toEqual([0, 1]);
});

it("survives the address, and ignores anything else there", () => {
  const conditions = [{ column: "age", at_least: 25, below: 65 }];
  expect(conditionsOfText(textOfConditions(conditions))).toEqual(conditions);
  expect(textOfConditions([])).toBeUndefined();
  expect([conditionsOfText("{"), conditionsOfText("7"), conditionsOfText('[1, {"column": 2}]')]).toEqual([[], [], []]);
});

it("has a label for people", () => {
  expect(conditionLabel({ column: "age", at_least: 25, below: 65 })).toBe("age 25 to 65");
  expect(conditionLabel({ column: "sex", values: ["Female", "Male"] })).toBe("sex = Female or Male");
  expect(conditionLabel({ column: "x", label: "as the server says" })).toBe("as the server says");
});
