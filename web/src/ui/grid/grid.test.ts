import { expect, test } from "vitest";
import { formatNumber } from "../../base/format";
import { cellWords } from "./cell";
import {
  barOf,
  clampWidth,
  columnPool,
  columnsBetween,
  edgesOf,
  moved,
  shareOf,
  stretched,
  type GridColumn,
} from "./grid";
import { cellLook } from "./plain_cells";

const column = (id: string, widthPx: number): GridColumn => ({ id, title: id, type: "number", widthPx });

test("what is left of the width goes to the elastic columns, and none is taken from them", () => {
  const columns = [column("a", 100), { ...column("b", 50), isElastic: true }, { ...column("c", 60), isElastic: true }];
  expect(stretched(columns, 311).map(({ widthPx }) => widthPx)).toEqual([100, 100, 110]);
  expect(stretched(columns, 200)).toBe(columns);
  expect(stretched([column("a", 100)], 400)).toEqual([column("a", 100)]);
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
  expect(cellLook({ ...rate, look: "bar" }, null, [0, 10])).toMatchObject({ words: "", classes: " right not-known" });
  expect(cellLook({ ...rate, type: "text" }, undefined, null)).toEqual({
    words: null,
    classes: " wait",
    tint: "",
    share: "",
  });
});
