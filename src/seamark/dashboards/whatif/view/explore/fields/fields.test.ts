import { expect, test } from "vitest";
import type { ColumnValues } from "../../requests";
import type { ColumnEntry, InfoResponse } from "../../wire";
import { chance, dimensionOf, stripDimension } from "./dimension";
import { facetsOf, quantileEdges } from "./facets";
import { defaultChoice, fieldsOf } from "./fields";
import { errorShare, judgeBinary, judgeByErrors, meanAbsolute, positives } from "./judge";

const entry = (name: string, type: ColumnEntry["type"], role: ColumnEntry["role"] = "feature"): ColumnEntry => ({
  name,
  type,
  role,
  model: "",
  predicted_class: "",
  distinct: type === "text" ? 5000 : 2,
  minimum: null,
  maximum: null,
  names: [],
  is_whole: false,
});
const INFO: InfoResponse = {
  rows: 4,
  content_id: "",
  task: "binary",
  target: "label",
  positive: "> 50k",
  classes: ["≤ 50k", "> 50k"],
  columns: [
    entry("note", "text"),
    entry("sex", "category"),
    entry("age", "number"),
    entry("label", "category", "truth"),
    entry("score", "number", "prediction"),
  ],
  models: [],
  steps: [],
  can_predict: false,
  schema_path: "",
  problems: [],
};
const WITH_MODEL = { hasModel: true, hasModelB: false, hasRow: false };
const numbers = (...values: number[]): ColumnValues => ({
  type: "number",
  values: Float32Array.from(values),
  names: [],
});
const codes = (names: readonly string[], ...values: number[]): ColumnValues => ({
  type: "category",
  values: Int32Array.from(values),
  names,
});
const ALL = Uint32Array.from([0, 1, 2, 3]);

test("a feature against the score, coloured by the truth, is shown first", () => {
  const fields = fieldsOf(INFO, WITH_MODEL);
  expect(defaultChoice(INFO, fields)).toEqual({ x: "age", y: "=score", colour: "=truth", size: "", facet: "" });
  expect(fields.find(({ id }) => id === "=score")?.label).toBe("P(> 50k)");
});

test("long texts are no axis; the difference and the distance need a second model and a row", () => {
  const ids = (options: typeof WITH_MODEL): readonly string[] => fieldsOf(INFO, options).map(({ id }) => id);
  expect(ids(WITH_MODEL)).not.toContain("note");
  expect(ids(WITH_MODEL)).not.toContain("=difference");
  expect(ids({ hasModel: true, hasModelB: true, hasRow: true })).toEqual(
    expect.arrayContaining(["=difference", "=distance"]),
  );
});

test("without predictions and truth two features are shown in one colour", () => {
  const info = { ...INFO, target: "", columns: [entry("a", "number"), entry("b", "number")] };
  const fields = fieldsOf(info, { hasModel: false, hasModelB: false, hasRow: false });
  expect(defaultChoice(info, fields)).toEqual({ x: "a", y: "b", colour: "", size: "", facet: "" });
});

test("the error of a regression is its colour", () => {
  const info: InfoResponse = { ...INFO, task: "regression", positive: "", classes: [] };
  expect(defaultChoice(info, fieldsOf(info, WITH_MODEL)).colour).toBe("=error");
});

test("a ranking has no error: its scores and its truth have no common unit", () => {
  const info: InfoResponse = { ...INFO, task: "ranking", positive: "", classes: [] };
  const fields = fieldsOf(info, WITH_MODEL);
  expect(fields.some(({ id }) => id === "=error")).toBe(false);
  expect(defaultChoice(info, fields).colour).toBe("=truth");
});

test("names lie around whole numbers, and a row lies at the same place every time", () => {
  const { positions, names, range } = dimensionOf(codes(["Male", "Female"], 0, 1, -1, 1), "sex");
  expect(names).toEqual(["Male", "Female"]);
  expect(range).toEqual({ from: -0.5, to: 1.5 });
  expect(Array.from(positions, (position) => Math.round(position) + 0)).toEqual([0, 1, NaN, 1]);
  expect(chance(7)).toBe(chance(7));
  expect(Math.max(...Array.from({ length: 1000 }, (_, row) => Math.abs(chance(row))))).toBeLessThanOrEqual(1);
});

test("numbers with a fraction keep their values; probabilities have all of 0 to 1", () => {
  const { positions, range } = dimensionOf(numbers(0.25, 0.5, NaN), "P(yes)");
  expect(Array.from(positions)).toEqual([0.25, 0.5, NaN]);
  expect(range).toEqual({ from: 0, to: 1 });
});

test("strips of a number are bins", () => {
  const { names, positions } = stripDimension(numbers(5, 95, 50), "age", 3);
  expect(names[0]).toMatch(/^< /);
  expect(Math.round(positions[0]!) + 0).toBe(0);
  expect(Math.round(positions[1]!)).toBe(names.length - 1);
});

test("facets hold the rows of each name, and missing values are one of them", () => {
  const facets = facetsOf(codes(["Male", "Female"], 0, 1, -1, 1), ALL);
  expect(facets.map(({ name, rows }) => [name, [...rows]])).toEqual([
    ["Male", [0]],
    ["Female", [1, 3]],
    ["missing", [2]],
  ]);
});

test("numeric facets have equally many rows, whatever the values are", () => {
  const values = Array.from({ length: 100 }, (_, row) => row ** 3 + 0.5);
  const rows = Uint32Array.from(values.keys());
  expect(facetsOf(numbers(...values), rows, 4).map((facet) => facet.rows.length)).toEqual([25, 25, 25, 25]);
  expect(quantileEdges([1, 1, 1, 1, 2], Uint32Array.from([0, 1, 2, 3, 4]), 4)).toEqual([]);
});

test("without a field there is one facet with all rows", () => {
  expect(facetsOf(null, ALL)).toEqual([{ name: "", rows: ALL }]);
});

test("a prediction is wrong at the threshold of its own slice; a score at the threshold is positive", () => {
  const truths = positives(codes(["no", "yes"], 1, 0, 1, -1), "yes");
  expect([...truths]).toEqual([1, 0, 1, -1]);
  const scores = Float32Array.from([0.7, 0.4, 0.3, 0.9]);
  expect([...judgeBinary(truths, scores, 0.7, null)]).toEqual([0, 0, 1, 2]);
  expect([...judgeBinary(truths, scores, 0.5, Float32Array.from([0.8, 0.4, 0.2, 0.5]))]).toEqual([1, 1, 0, 2]);
});

test("the positive class of numbers and of yes and no", () => {
  expect([...positives(numbers(1, 0, NaN), "1")]).toEqual([1, 0, -1]);
  expect([...positives({ type: "boolean", values: Float32Array.from([1, 0]), names: [] }, "true")]).toEqual([1, 0]);
});

test("rows without a truth do not count for the share of errors", () => {
  expect(errorShare(judgeByErrors([1, 0, NaN, 0]), ALL)).toBeCloseTo(1 / 3);
  expect(errorShare(judgeByErrors([NaN]), Uint32Array.from([0]))).toBeNull();
  expect(meanAbsolute([-2, 4, NaN], Uint32Array.from([0, 1, 2]))).toBe(3);
});
