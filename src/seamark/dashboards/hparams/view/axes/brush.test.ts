import { expect, test } from "vitest";
import { brushed, insideOf, NO_BRUSH, readBrush, without, writeBrush, type Brush } from "./brush";
import { columnFrom } from "../columns/testing";

const lr = columnFrom({ id: "param:lr", type: "number", values: [1e-4, 1e-3, 1e-2, null, "NaN"] });
const optimizer = columnFrom({ id: "param:opt", type: "text", values: ["sgd", "adam", "sgd", "adam", null] });
const columns = new Map([lr, optimizer].map((column) => [column.id, column]));
const inside = (brush: Brush): number[] => [...insideOf(brush, columns, 5)];

test("a trial is inside when every brushed axis holds it", () => {
  expect(inside(NO_BRUSH)).toEqual([1, 1, 1, 1, 1]);
  const low = brushed(NO_BRUSH, "param:lr", [[1e-4, 1e-3]]);
  expect(inside(low)).toEqual([1, 1, 0, 0, 0]);
  expect(inside(brushed(low, "param:opt", ["adam"]))).toEqual([0, 1, 0, 0, 0]);
});

test("blanks and what is no number have marks of their own", () => {
  expect(inside(brushed(NO_BRUSH, "param:lr", [null]))).toEqual([0, 0, 0, 1, 0]);
  expect(inside(brushed(NO_BRUSH, "param:lr", ["NaN"]))).toEqual([0, 0, 0, 0, 1]);
  expect(inside(brushed(NO_BRUSH, "param:opt", [null, "sgd"]))).toEqual([1, 0, 1, 0, 1]);
});

test("with shift a range comes beside the first; ranges that touch become one", () => {
  const one = brushed(NO_BRUSH, "param:lr", [[1, 2]]);
  const two = brushed(one, "param:lr", [[4, 5]], true);
  expect(two.get("param:lr")).toEqual([
    [1, 2],
    [4, 5],
  ]);
  expect(brushed(two, "param:lr", [[1.5, 4]], true).get("param:lr")).toEqual([[1, 5]]);
  expect(brushed(two, "param:lr", [[8, 9]]).get("param:lr")).toEqual([[8, 9]]);
  expect(without(two, "param:lr").size).toBe(0);
  expect(brushed(two, "param:lr", []).size).toBe(0);
});

test("the address keeps it, with any sign in names and words", () => {
  const brush = brushed(brushed(NO_BRUSH, 'param:a"&=,<b>', ["</script>", "😀", null]), "param:lr", [[3e-4, 2.2e-3]]);
  expect(readBrush(writeBrush(brush))).toEqual(brush);
  expect(writeBrush(NO_BRUSH)).toBeUndefined();
});

test("what is no brush is none", () => {
  for (const text of ["", "{", "[]", "7", '{"a": 3}', '{"a": [[2, 1]]}', '{"a": [["x", "y"]]}'])
    expect(readBrush(text).size).toBe(0);
});

test("a brush on a column that nobody has any more holds back nothing", () => {
  expect(inside(brushed(NO_BRUSH, "param:gone", [[0, 1]]))).toEqual([1, 1, 1, 1, 1]);
});
