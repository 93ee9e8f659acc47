import { expect, test } from "vitest";
import { asQueryError, columnTerm, completeColumn } from "./column_query";

const CLASS = { name: "class", type: "category" };
const LOSS = { name: "loss", type: "number" };
const FILE = { name: "file name", type: "text" };

test("a query is completed with the columns that begin with its last word", () => {
  const found = completeColumn([CLASS, LOSS, FILE], 'class == "é" and lo', 19);
  expect(found).toEqual({ from: 17, to: 19, options: [{ text: "loss", kind: "column", detail: "number" }] });
  expect(completeColumn([CLASS, LOSS], "", 0).options).toHaveLength(2);
  expect(columnTerm("file name")).toBe("`file name`");
});

test("an error with a position is underlined there", () => {
  const failure = Object.assign(new Error("no column 'x'"), { details: { at: 4, length: 2 } });
  expect(asQueryError(failure)).toMatchObject({ message: "no column 'x'", at: 4, length: 2 });
  const plain = new Error("unreachable");
  expect(asQueryError(plain)).toBe(plain);
  expect(asQueryError(null)).toBeNull();
});
