import { expect, test } from "vitest";
import { tipRow } from "../../chart/pick";
import { bandText } from "../../chart/row_words";
import { bandSet, grouping, groupingOf, spreadOf } from "./bands";
import { setOf } from "./testing";

const NONE = { groupOf: () => undefined, placeOf: () => 0, error: "" };

test("runs are grouped by the columns of the runs table, each group with a colour of its own; what has no row is on its own", () => {
  const columns = {
    groupOf: (run: string) => (run === "alone" ? undefined : `lr ${run[0]}`),
    placeOf: (group: string) => Number(group.at(-1)),
    error: "",
  };
  const { groupOf, placeOf } = grouping("columns:param:lr", columns)!;
  expect([["1a", "1b", "2a", "alone"].map(groupOf), placeOf!("lr 2")]).toEqual([["lr 1", "lr 1", "lr 2", "alone"], 2]);
  expect(grouping("columns:", columns)).toBeNull();
});

test("runs are grouped by folder or by what a regular expression catches", () => {
  expect(["resnet/seed0", "a/b/c", "alone"].map(grouping("folder", NONE)!.groupOf)).toEqual(["resnet", "a/b", "alone"]);
  const seeds = grouping("regex:^(.*)_seed\\d+$", NONE)!;
  expect(["lr1_seed0", "lr1_seed1", "other"].map(seeds.groupOf)).toEqual(["lr1", "lr1", "other"]);
  expect(grouping("regex:(", NONE)!.error).toContain("Not a regular expression");
  expect(grouping("", NONE)).toBeNull();
});

test("the folders of a run are in its group, apart by curve", () => {
  const runs = {
    columnGroups: NONE,
    rowOf: (run: string) => run.replace(/\/loss_.*/, ""),
    curveOf: (run: string) => /loss_(.*)/.exec(run)?.[1] ?? "",
  };
  const context = { settings: { groupBy: "folder" }, runs } as unknown as Parameters<typeof groupingOf>[0];
  const { groupOf } = groupingOf(context)!;
  expect(["g/a", "g/a/loss_eval", "g/b/loss_eval"].map(groupOf)).toEqual(["g", "g · eval", "g · eval"]);
});

test("the mean goes through the runs at every step that one of them logged", () => {
  const set = setOf({
    "g/a": [
      [0, 0],
      [2, 4],
      [4, 8],
    ],
    "g/b": [
      [0, 2],
      [4, 6],
    ],
    "h/c": [[1, 5]],
  });
  const bands = bandSet(set, [0, 1, 2], grouping("folder", NONE)!.groupOf, "range");
  expect(bands.series.map(({ key, points }) => [key, points])).toEqual([
    ["g", 5],
    ["h", 1],
  ]);
  expect([...bands.offsets]).toEqual([0, 3, 4]);
  expect([...bands.x]).toEqual([0, 2, 4, 1]);
  expect([...bands.curve]).toEqual([1, 4, 7, 5]);
  expect([...bands.low!]).toEqual([0, 4, 6, 5]);
  expect([...bands.high!]).toEqual([2, 4, 8, 5]);
  expect([...bands.group!.members]).toEqual([2, 2, 2, 1]);
});

test("a run that ended earlier no longer counts", () => {
  const set = setOf({
    "g/a": [
      [0, 0],
      [1, 0],
    ],
    "g/b": [
      [0, 4],
      [1, 4],
      [2, 4],
    ],
  });
  const bands = bandSet(set, [0, 1], () => "g", "deviation");
  expect([...bands.curve]).toEqual([2, 2, 4]);
  const rows = [0, 2].map((at) => tipRow(bands, 0, at));
  expect(rows.map((row) => [row.members, bandText(row, "deviation")])).toEqual([
    [2, "± 2.8284"],
    [1, "–"],
  ]);
  expect(bandText(rows[0]!, "range")).toBe("−0.8284 – 4.8284");
});

test("the three bands", () => {
  const values = Float64Array.of(1, 2, 3);
  expect(spreadOf(values, "deviation")).toEqual({ mean: 2, low: 1, high: 3 });
  expect(spreadOf(values, "range")).toEqual({ mean: 2, low: 1, high: 3 });
  expect(spreadOf(values, "confidence").high).toBeCloseTo(2 + 4.303 / Math.sqrt(3), 10);
  expect(spreadOf(Float64Array.of(7), "confidence")).toEqual({ mean: 7, low: 7, high: 7 });
});
