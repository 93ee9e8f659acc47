import { expect, test } from "vitest";
import { LocalSource } from "./local";
import { ariaSort, nextSort, readSort, writeSort } from "./sort";

test("a click sorts up, down, not at all; with Shift further columns join", () => {
  let sort = nextSort([], "a", false);
  expect(writeSort(sort)).toEqual(["a"]);
  sort = nextSort(sort, "a", false);
  expect(writeSort(sort)).toEqual(["-a"]);
  sort = nextSort(sort, "b", true);
  sort = nextSort(sort, "b", true);
  expect(writeSort(sort)).toEqual(["-a", "-b"]);
  expect(writeSort(nextSort(sort, "b", true))).toEqual(["-a"]);
  expect(writeSort(nextSort(sort, "c", false))).toEqual(["c"]);
  expect(readSort(["-metric:val-loss:min", "param:-x", "", "-"])).toEqual([
    { id: "metric:val-loss:min", descending: true },
    { id: "param:-x", descending: false },
  ]);
});

test("a column of amounts begins with the largest", () => {
  const sort = nextSort([], "a", false, true);
  expect(writeSort(sort)).toEqual(["-a"]);
  expect(writeSort(nextSort(sort, "a", false, true))).toEqual(["a"]);
  expect(nextSort(readSort(["a"]), "a", false, true)).toEqual([]);
});

test("a header says how its column is sorted", () => {
  const sort = readSort(["-a", "b"]);
  expect(["a", "b", "c"].map((id) => ariaSort(sort, id))).toEqual(["descending", "ascending", "none"]);
});

test("names in a table have the order of the list of runs", () => {
  const rows = ["lr0.1", "lr0.02", "lr0.02/loss", "lr0.02_b"].map((key) => ({ key, cells: { name: key } }));
  expect(new LocalSource(rows, readSort(["name"])).rows.map(({ key }) => key)).toEqual([
    "lr0.02",
    "lr0.02/loss",
    "lr0.02_b",
    "lr0.1",
  ]);
});

test("rows of the page sort as the server's do: blanks and NaN last both ways, numbers before text", async () => {
  const rows = [
    ["a", 2],
    ["b", null],
    ["c", "x"],
    ["d", 10],
    ["e", NaN],
    ["f", 2],
  ].map(([key, x]) => ({ key: key as string, cells: { x: x as number | null } }));
  const keys = (terms: string[]) => new LocalSource(rows, readSort(terms)).rows.map(({ key }) => key).join("");
  expect([keys(["x"]), keys(["-x"]), keys([])]).toEqual(["afdcbe", "cdafbe", "abcdef"]);
  const source = new LocalSource(rows);
  expect([source.extentOf("x"), source.extentOf("y"), source.cell(0, "y"), await source.keysOf(1, 3)]).toEqual([
    [2, 10],
    null,
    null,
    ["b", "c"],
  ]);
});
