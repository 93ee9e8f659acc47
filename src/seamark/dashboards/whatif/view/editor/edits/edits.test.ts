import { expect, test } from "vitest";
import type { ColumnEntry } from "../../wire";
import {
  copiesOfText,
  editsOfText,
  parseCell,
  textOfCell,
  textOfCopies,
  textOfEdits,
  valuesAfter,
  withEdit,
  withValues,
} from "./edits";

const OWN = { age: 41, city: "Rome", married: null };

test("values after some edits leave out those that are back at the row's own", () => {
  const edits = [
    { feature: "age", value: 50 },
    { feature: "city", value: "Oslo" },
    { feature: "age", value: 41 },
  ];
  expect(valuesAfter(edits, OWN)).toEqual({ city: "Oslo" });
  expect(valuesAfter(edits, OWN, 1)).toEqual({ age: 50 });
  expect(valuesAfter(edits, OWN, 0)).toEqual({});
});

test("typing into one field is one edit", () => {
  const typed = [5, 50, 505].reduce<readonly { feature: string; value: number }[]>(
    (edits, value) => withEdit(edits, { feature: "age", value }, OWN) as never,
    [],
  );
  expect(typed).toEqual([{ feature: "age", value: 505 }]);
  const then = withEdit(typed, { feature: "city", value: "Oslo" }, OWN);
  expect(withEdit(then, { feature: "age", value: 6 }, OWN)).toHaveLength(3);
});

test("typing the old value again takes the edit away", () => {
  const edits = withEdit([], { feature: "age", value: 50 }, OWN);
  expect(withEdit(edits, { feature: "age", value: 41 }, OWN)).toEqual([]);
});

test("a field goes back to the row's own value after other edits", () => {
  const edits = withEdit(withEdit([], { feature: "age", value: 50 }, OWN), { feature: "city", value: "Oslo" }, OWN);
  const back = withEdit(edits, { feature: "age", value: 41 }, OWN);
  expect(valuesAfter(back, OWN)).toEqual({ city: "Oslo" });
});

test("copying the values of another row makes one edit for each that differs", () => {
  const edits = withValues([], { age: 41, city: "Oslo", married: true }, OWN);
  expect(edits).toEqual([
    { feature: "city", value: "Oslo" },
    { feature: "married", value: true },
  ]);
});

test("edits and copies are the same after the address, and anything else is none", () => {
  const edits = [
    { feature: "a,b", value: "x → y" },
    { feature: "n", value: null },
  ];
  expect(editsOfText(textOfEdits(edits))).toEqual(edits);
  expect(copiesOfText(textOfCopies([{ row: 3, edits }]))).toEqual([{ row: 3, edits }]);
  expect(textOfEdits([])).toBeUndefined();
  for (const text of ["", "{", "7", '[["a"]]', '[["a",{}]]', "[null]", '{"a":1}'])
    expect(editsOfText(text)).toEqual([]);
  for (const text of ["[[-1,[]]]", "[5]", "null"]) expect(copiesOfText(text)).toEqual([]);
});

test("what is typed becomes a value of the column's type", () => {
  const number = { type: "number" } as ColumnEntry;
  expect(["1,200", "−3", " 4.5 ", "", "-", "abc", "Infinity"].map((text) => parseCell(text, number))).toEqual([
    1200,
    -3,
    4.5,
    null,
    undefined,
    undefined,
    undefined,
  ]);
  expect(parseCell(" x ", { type: "text" } as ColumnEntry)).toBe(" x ");
  expect([null, 12345.5, true, "<b>"].map(textOfCell)).toEqual(["missing", "12,345.5", "true", "<b>"]);
});
