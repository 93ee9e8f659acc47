import { expect, test } from "vitest";
import { makeRun } from "../../data/testing";
import { ageText, cellText, readColumns, toggleColumn } from "./columns";
import { entryOf } from "./entry";

test("columns are chosen in the address", () => {
  expect(readColumns(undefined, "loss").map((column) => column.key)).toEqual(["value"]);
  expect(readColumns("start,nonsense", "val/loss").map((column) => column.title)).toEqual(["val/loss", "Start"]);
  expect(toggleColumn(undefined, "last")).toBe("last");
  expect(toggleColumn("last", "last")).toBeUndefined();
  expect(toggleColumn("last", "points")).toBe("points,last");
  expect(readColumns("", "")).toEqual([]);
});

test("cells are short, and a dash where nothing is known", () => {
  expect([4.4, 61, 3 * 3600 + 5, 200_000, -5].map(ageText)).toEqual(["4 s", "1 m", "3 h", "2 d", "now"]);
  const entry = entryOf(makeRun("a", { points: 12345 }), undefined, "");
  expect((["points", "start", "last", "value"] as const).map((key) => cellText(key, entry, undefined, 0))).toEqual([
    "12,345",
    "–",
    "–",
    "–",
  ]);
});
