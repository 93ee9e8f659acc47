import { expect, test } from "vitest";
import { filtersOfText, rowsOfText, textOfFilters, textOfRows } from "./row_text";

test("rows are numbers and ranges, in ascending order", () => {
  expect(textOfRows(Uint32Array.of(9, 3, 4, 5, 12))).toBe("3-5,9,12");
  expect([...rowsOfText("3-5,9,12")]).toEqual([3, 4, 5, 9, 12]);
  expect(textOfRows(new Uint32Array())).toBeUndefined();
});

test("a million rows beside each other are short, scattered ones are read back", () => {
  expect(textOfRows(Uint32Array.from({ length: 1_000_000 }, (_, row) => row))).toBe("0-999999");
  const scattered = Uint32Array.from({ length: 30_000 }, (_, row) => 2 * row);
  expect(rowsOfText(textOfRows(scattered))).toEqual(scattered);
});

test("what is no row is left out", () => {
  expect([...rowsOfText("a,-1,2,9-7,3-,1e3,5")]).toEqual([2, 5]);
  expect([...rowsOfText(undefined)]).toEqual([]);
});

test("filters are read back", () => {
  const filters = [
    { type: "hide", rows: Uint32Array.of(1, 2, 3) },
    { type: "isolate", rows: Uint32Array.of(7) },
  ] as const;
  expect(textOfFilters(filters)).toBe("hide:1-3;isolate:7");
  expect(filtersOfText("hide:1-3;isolate:7;other:1;isolate:zzz;hide:")).toEqual(filters);
  expect([textOfFilters([]), filtersOfText(undefined)]).toEqual([undefined, []]);
});
