import { expect, test } from "vitest";
import { gridColumns, runOfRow } from "./row_table";

test("columns are numbers unless they say what they are, with decimals if they have any", () => {
  const columns = [
    { id: "noise", title: "Noise", look: "bar" },
    { id: "points", title: "Points" },
    { id: "note", title: "Note", type: "text" },
  ] as const;
  const rows = [
    { key: "a", cells: { noise: 1, points: 2, note: null } },
    { key: "b", cells: { noise: 0.5, points: 3 } },
  ];
  const of = { widthPx: 120, isElastic: false };
  expect(gridColumns(columns, rows)).toEqual([
    { id: "noise", title: "Noise", look: "bar", type: "number", isMeasured: true, ...of },
    { id: "points", title: "Points", type: "number", isMeasured: false, ...of },
    { id: "note", title: "Note", type: "text", isMeasured: false, widthPx: 120, isElastic: true },
  ]);
});

test("a row belongs to its run, to the run that its key names, or to none", () => {
  const known = new Set(["a"]);
  expect(runOfRow({ key: "x", run: "a", cells: {} }, known)).toBe("a");
  expect(runOfRow({ key: "a", cells: {} }, known)).toBe("a");
  expect(runOfRow({ key: "all", cells: {} }, known)).toBeUndefined();
});
