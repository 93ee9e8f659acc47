import { expect, test } from "vitest";
import { cellWords, formatNumber, toneOf } from "./cell";
import {
  barOf,
  clampWidth,
  columnPool,
  columnsBetween,
  edgesOf,
  moved,
  nextSort,
  readSort,
  shareOf,
  writeSort,
  type GridColumn,
} from "./grid";
import { LocalSource, sortRows } from "./local";
import { cellLook } from "./plain_cells";

const column = (id: string, widthPx: number): GridColumn => ({ id, title: id, type: "number", widthPx });

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

test("only the columns on screen are drawn, and two more on either side", () => {
  const edges = edgesOf(Array.from({ length: 200 }, (_, index) => column(String(index), 100)));
  expect(edges.at(-1)).toBe(20_000);
  expect(columnsBetween(edges, 5050, 6000)).toEqual({ from: 48, to: 62 });
  expect(columnsBetween(edges, 0, 250)).toEqual({ from: 0, to: 5 });
  expect(columnsBetween(edges, 19_950, 21_000)).toEqual({ from: 197, to: 200 });
  expect(columnsBetween(edgesOf([]), 0, 500)).toEqual({ from: 0, to: 0 });
  const narrow = edgesOf(Array.from({ length: 200 }, (_, index) => column(String(index), 48)));
  for (let left = 0; left < 8000; left += 7) {
    const { from, to } = columnsBetween(narrow, left, left + 500);
    expect(to - from).toBeLessThanOrEqual(columnPool(500));
  }
});

test("columns move in front of where they are dropped, widths stay within reason", () => {
  expect(moved(["a", "b", "c", "d"], 0, 3)).toEqual(["b", "c", "a", "d"]);
  expect(moved(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
  expect(moved(["a", "b"], 0, 2)).toEqual(["b", "a"]);
  expect(moved(["a", "b"], 5, 0)).toEqual(["a", "b"]);
  expect([clampWidth(3), clampWidth(1e9), clampWidth(99.6)]).toEqual([48, 800, 100]);
});

test("tints follow the range, learning rates by their size, bars start at zero", () => {
  expect(shareOf(5, [0, 10])).toBe(0.5);
  expect(shareOf(1e-3, [1e-5, 1e-1])).toBeCloseTo(0.5);
  expect([
    shareOf(NaN, [0, 1]),
    shareOf("x", [0, 1]),
    shareOf(1, [1, 1]),
    shareOf(1, null),
    shareOf(null, [0, 1]),
  ]).toEqual([null, null, null, null, null]);
  expect(barOf(5, [4, 10])).toBe(0.5);
  expect(barOf(-5, [-10, 0])).toBe(0.5);
});

test("numbers are short and have a true minus", () => {
  expect(
    [64, 0.0274, 1e-3, 1e-4, -2.54321e-5, 0.86123456, 1234567, 2024, -3, NaN, Infinity, -Infinity, 0, 1e300].map(
      formatNumber,
    ),
  ).toEqual([
    "64",
    "0.0274",
    "0.001",
    "1e−4",
    "−2.543e−5",
    "0.8612",
    "1,234,567",
    "2024",
    "−3",
    "NaN",
    "∞",
    "−∞",
    "0",
    "1e300",
  ]);
});

test("cells in words, whatever their type", () => {
  expect([
    cellWords(null, "number"),
    cellWords(true, "bool"),
    cellWords(["a", "b"], "list"),
    cellWords(7680, "duration"),
    cellWords("<script>", "text"),
    cellWords(1e300, "time"),
  ]).toEqual(["", "true", "a, b", "2 h 08 m", "<script>", ""]);
  expect(["finished", "running", "crashed", "idle", null].map(toneOf)).toEqual(["ok", "live", "bad", "quiet", "quiet"]);
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
  const keys = (terms: string[]) =>
    sortRows(rows, readSort(terms))
      .map(({ key }) => key)
      .join("");
  expect([keys(["x"]), keys(["-x"]), keys([])]).toEqual(["afdcbe", "cdafbe", "abcdef"]);
  const source = new LocalSource(rows);
  expect([source.extentOf("x"), source.extentOf("y"), source.cell(0, "y"), await source.keysOf(1, 3)]).toEqual([
    [2, 10],
    null,
    null,
    ["b", "c"],
  ]);
});

test("a plain cell has its words, its side, and a bar or a tint where the column shows one", () => {
  const rate = column("param:lr", 90);
  expect(cellLook(rate, 0.003, null)).toEqual({ words: "0.003", classes: " right", tint: "", share: "" });
  expect(cellLook({ ...rate, isMeasured: true }, NaN, null)).toEqual({
    words: "NaN",
    classes: " right odd",
    tint: "",
    share: "",
  });
  expect(cellLook({ ...rate, look: "bar" }, 5, [0, 10])).toMatchObject({ classes: " right barred", share: "50.0%" });
  expect(cellLook({ ...rate, look: "colour", goal: "min" }, 0, [0, 10])).toMatchObject({
    classes: " right tinted",
    tint: "38.0%",
  });
  expect(cellLook({ ...rate, type: "text" }, undefined, null)).toEqual({
    words: null,
    classes: " wait",
    tint: "",
    share: "",
  });
});
