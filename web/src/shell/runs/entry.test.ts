import { expect, test } from "vitest";
import { makeRun } from "../../data/testing";
import { nextSort, writeSort } from "../../ui/grid/sort";
import { entryOf, rankNames, readRunSort, sortEntries, type RunEntry } from "./entry";

const run = (name: string, points = 0, first_wall: number | null = null) =>
  makeRun(name, { points, first_wall, last_wall: first_wall });
const names = (entries: readonly RunEntry[]) => entries.map((entry) => entry.name);
const sort = (entries: readonly RunEntry[], order?: string, values: ReadonlyMap<string, number> = new Map()) =>
  sortEntries(entries, { sort: readRunSort(order), values, ranks: rankNames(names(entries)) });
const entries = [run("run10", 5, 2), run("run2", 7, 1), run("run1", 6)].map((each) => entryOf(each, undefined, ""));

test("names are ordered as people count", () => {
  expect(names(sort(entries))).toEqual(["run1", "run2", "run10"]);
  expect(names(sort(entries, "-name"))).toEqual(["run10", "run2", "run1"]);
});

test("columns order both ways, and what has no value comes last either way", () => {
  expect(names(sort(entries, "-points"))).toEqual(["run2", "run1", "run10"]);
  expect(names(sort(entries, "start"))).toEqual(["run2", "run10", "run1"]);
  expect(names(sort(entries, "-start"))).toEqual(["run10", "run2", "run1"]);
  const values = new Map([
    ["run10", NaN],
    ["run2", 0.5],
    ["run1", 0.25],
  ]);
  expect(names(sort(entries, "-value", values))).toEqual(["run2", "run1", "run10"]);
});

test("starred runs come first, and a given name is shown", () => {
  const starred = [...entries.slice(0, 2), entryOf(run("zebra/tb"), { star: true, label: "the good one" }, "/tb")];
  const sorted = sort(starred);
  expect(sorted[0]).toMatchObject({ name: "zebra/tb", path: "zebra", label: "the good one" });
});

test("a column is clicked through: up, down, off", () => {
  const up = nextSort(readRunSort(undefined), "points");
  const down = nextSort(readRunSort(writeSort(up)[0]), "points");
  expect([up, down, nextSort(down, "points")].map(writeSort)).toEqual([["points"], ["-points"], []]);
  expect(readRunSort("nonsense")).toEqual([]);
});
