import { expect, test } from "vitest";
import { makeRun } from "../../data/testing";
import { entryOf } from "./entry";
import { buildRows, runsBetween, type Row } from "./rows";

const entries = (...names: string[]) => names.map((name) => entryOf(makeRun(name, { path: name }), undefined, ""));
const tree = { tree: true, toggled: new Set<string>() };
const drawn = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === "rule"
      ? `-- ${row.count}`
      : `${"  ".repeat(row.depth)}${row.label}${row.kind === "folder" ? ` ${row.runs.length}${row.isOpen ? "" : " closed"}` : ""}`,
  );

test("folders hold their runs, and folders with one thing in them are merged with it", () => {
  const rows = buildRows(entries("a/x/1", "a/x/2", "b/1", "c", "d/e/1", "d/f/1", "d/f/2"), [], tree);
  expect(drawn(rows)).toEqual(["a/x/ 2", "  1", "  2", "b/1", "c", "d/ 3", "  e/1", "  f/ 2", "    1", "    2"]);
});

test("a run that is a folder as well is both", () => {
  expect(drawn(buildRows(entries("a", "a/train", "a/val"), [], tree))).toEqual(["a", "a/ 2", "  train", "  val"]);
});

test("closed folders hide their runs, and flat there are no folders", () => {
  const runs = entries("a/1", "a/2", "b");
  expect(drawn(buildRows(runs, [], { tree: true, toggled: new Set(["folder a/"]) }))).toEqual(["a/ 2 closed", "b"]);
  expect(drawn(buildRows(runs, [], { tree: false, toggled: new Set() }))).toEqual(["a/1", "a/2", "b"]);
});

test("what the filter leaves out stays in closed folders below a line", () => {
  expect(drawn(buildRows(entries("a/1", "a/2"), entries("b/1", "b/2", "c"), tree))).toEqual([
    "a/ 2",
    "  1",
    "  2",
    "-- 3",
    "b/ 2 closed",
    "c",
  ]);
});

test("a range takes the runs between, and those of closed folders", () => {
  const rows = buildRows(entries("a/1", "a/2", "b/1", "b/2", "c"), entries("z"), {
    tree: true,
    toggled: new Set(["folder b/"]),
  });
  expect(runsBetween(rows, 4, 1)).toEqual(["a/1", "a/2", "b/1", "b/2", "c"]);
  expect(runsBetween(rows, 1, rows.length - 1)).toEqual(["a/1", "a/2", "b/1", "b/2", "c"]);
});

test("names from hostile folders are just names", () => {
  expect(drawn(buildRows(entries("/x", "x/", "//", "__proto__/a", "__proto__/b"), [], tree))).toEqual([
    "/x",
    "x/",
    "//",
    "__proto__/ 2",
    "  a",
    "  b",
  ]);
});

test("ten thousand runs become rows, with one for each folder", () => {
  const many = entries(
    ...Array.from({ length: 10_000 }, (_, index) => `sweep${index % 50}/lr${index % 7}/seed${index}`),
  );
  expect(buildRows(many, [], tree)).toHaveLength(10_000 + 50 + 350);
});
