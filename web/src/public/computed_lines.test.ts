import { expect, test } from "vitest";
import { tipRow } from "../chart/pick";
import { rowWords } from "../chart/row_words";
import { setOfLines } from "./computed_lines";

test("lines become series one after the other, as long as the shorter of x and y", () => {
  const set = setOfLines(
    [
      { key: "a", x: [0, 1, 2], y: [5, 6] },
      { key: "b", name: "B", x: Float32Array.of(3), y: [7] },
    ],
    "step",
  );
  expect([[...set.offsets], [...set.x], [...set.curve]]).toEqual([
    [0, 2, 3],
    [0, 1, 3],
    [5, 6, 7],
  ]);
  expect(set.series.map(({ key, name, points }) => [key, name, points])).toEqual([
    ["a", "a", 2],
    ["b", "B", 1],
  ]);
  expect([set.sorted, set.step === set.x, set.wall]).toEqual([true, true, null]);
});

test("values that are not finite are marked, and x may go back", () => {
  const set = setOfLines([{ key: "a", x: [0, 2, 1], y: [1, Infinity, NaN] }], "metric");
  expect([[...set.marks], set.sorted, set.step]).toEqual([[1, 2], false, null]);
  expect([...set.curve]).toEqual([1, NaN, NaN]);
});

test("a line with wall times has its place on every axis, and its tooltip all times", () => {
  const line = { key: "a", x: [10, 20], y: [1, 2], wall: [1000, 1060], began: 940 };
  const xs = (["step", "relative", "wall"] as const).map((unit) => [...setOfLines([line], unit).x]);
  expect(xs).toEqual([
    [10, 20],
    [60, 120],
    [1000, 1060],
  ]);
  for (const unit of ["step", "relative", "wall"] as const) {
    const { step, wallSecs, relativeSecs } = tipRow(setOfLines([line], unit), 0, 1);
    expect([step, wallSecs, relativeSecs]).toEqual([20, 1060, 120]);
  }
  const { began: _, ...late } = line;
  expect([...setOfLines([late], "relative").x]).toEqual([0, 60]);
});

test("what a line without wall times does not know is not in its tooltip", () => {
  const line = { key: "a", x: [10, 20], y: [1, 2] };
  expect(tipRow(setOfLines([line], "step"), 0, 1)).toMatchObject({ step: 20, wallSecs: NaN, relativeSecs: NaN });
  expect(tipRow(setOfLines([line], "relative"), 0, 1)).toMatchObject({ step: NaN, relativeSecs: 20 });
  const mixed = setOfLines([line, { ...line, key: "b", wall: [100, 130] }], "step");
  expect([tipRow(mixed, 0, 1).relativeSecs, tipRow(mixed, 1, 3).relativeSecs]).toEqual([NaN, 30]);
});

test("a band is filled around its line, and none around the others", () => {
  const lines = [
    { key: "a", x: [0], y: [2], band: { low: [1], high: [3] } },
    { key: "b", x: [0], y: [5] },
  ];
  const set = setOfLines(lines, "step");
  expect([set.fill, [...set.low!], [...set.high!]]).toEqual(["band", [1, 5], [3, 5]]);
  expect([rowWords(tipRow(set, 0, 0)), rowWords(tipRow(set, 1, 1))]).toEqual([["band 1.0000 … 3.0000"], []]);
});
