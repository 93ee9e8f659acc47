import { expect, test } from "vitest";
import { BLANK, BROKEN, columnOf, sortWords, VALUE } from "./columns";

test("numbers keep what cannot be placed apart from what is not there", () => {
  const column = columnOf({ id: "metric:loss:last", type: "number", values: [0.5, "NaN", null, "-Infinity", 0] });
  expect([...column.states]).toEqual([VALUE, BROKEN, BLANK, BROKEN, VALUE]);
  expect([...column.numbers]).toEqual([0.5, NaN, NaN, NaN, 0]);
  expect(column.cells).toEqual([0.5, NaN, null, -Infinity, 0]);
});

test("words, yes and no, and lists are categories; numbers among words come first, by size", () => {
  const mixed = columnOf({ id: "param:size", type: "text", values: ["large", 10, 9, null, "large"] });
  expect(mixed.categories).toEqual(["9", "10", "large"]);
  expect([...mixed.numbers]).toEqual([2, 1, 0, NaN, 2]);
  expect(columnOf({ id: "param:bias", type: "bool", values: [true, false] }).categories).toEqual(["false", "true"]);
  expect(columnOf({ id: "run:tags", type: "list", values: [["a", "b"], []] }).categories).toEqual(['["a","b"]', "[]"]);
  expect(sortWords(["b", "", "1e3", "20", "a"])).toEqual(["20", "1e3", "", "a", "b"]);
});
