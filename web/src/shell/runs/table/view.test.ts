import { expect, test } from "vitest";
import { makeColumn } from "../../../data/testing";
import { readIds, writeIds } from "../../../data/column_id";
import type { ColumnInfo } from "../../../data/table";
import {
  EMPTY_VIEW,
  gridColumn,
  present,
  readColumns,
  readView,
  sameView,
  standardColumns,
  writeColumns,
  writeView,
} from "./view";

const info = (id: string, more: Partial<ColumnInfo> = {}): [string, ColumnInfo] => [
  id,
  makeColumn(id, { low: 0, high: 1, ...more }),
];

test("columns go through the address and back, whatever they are called", () => {
  const columns = [
    { id: "param:a,b~c\\d" },
    { id: "metric:val/loss:min", widthPx: 120, look: "bar" as const },
    { id: "run:tags", widthPx: 90 },
  ];
  expect(writeColumns(columns)).toBe("param:a\\,b\\~c\\\\d,metric:val/loss:min~120~bar,run:tags~90");
  expect(readColumns(writeColumns(columns))).toEqual(columns);
  expect([readColumns(undefined), readColumns("")]).toEqual([null, []]);
  expect(readIds(writeIds(["param:a,b", "metric:x:min"]))).toEqual(["param:a,b", "metric:x:min"]);
});

test("without a choice the table shows what tells runs apart", () => {
  const columns = new Map([
    info("run:status", { type: "text" }),
    info("param:lr"),
    info("param:same", { low: 3, high: 3 }),
    info("param:some", { low: 3, high: 3, runs: 9 }),
    info("param:few", { runs: 2 }),
    info("param:one", { type: "text", values: [{ value: "a", runs: 10 }] }),
    info("param:two", {
      type: "text",
      values: [
        { value: "a", runs: 4 },
        { value: "b", runs: 6 },
      ],
    }),
    info("run:started", { type: "time" }),
    info("metric:system/cpu"),
    info("metric:GPU memory/used"),
    info("metric:train/loss"),
    info("metric:val/loss"),
    info("metric:val/acc"),
  ]);
  const choice = {
    objective: { id: "metric:val/acc:max", goal: "max" as const, part: "" },
    candidates: [],
    ranked: ["val/acc", "val/loss", "train/loss"],
  };
  expect(standardColumns(columns, 10, choice).map(({ id }) => id)).toEqual([
    "run:status",
    "metric:val/acc:max",
    "metric:val/acc:last",
    "metric:val/loss:last",
    "metric:train/loss:last",
    "param:lr",
    "param:two",
    "param:few",
    "param:some",
    "run:started",
    "metric:system/cpu:last",
    "metric:GPU memory/used:last",
  ]);
});

test("the machine's metrics take no place of a result", () => {
  const columns = new Map([
    ...Array.from({ length: 9 }, (_, index) => info(`metric:system/${index}`)),
    ...Array.from({ length: 6 }, (_, index) => info(`metric:loss/${index}`, { runs: 1 })),
  ]);
  const ids = standardColumns(columns, 10, { objective: null, candidates: [], ranked: [] }).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 6 }, (_, index) => `metric:loss/${index}:last`));
});

test("a kept view outlives its columns, and nonsense in its place gives none", () => {
  const columns = new Map([info("param:lr"), info("metric:loss")]);
  const wanted = readColumns("param:lr,param:gone,metric:loss:min,metric:gone:min,param:lr,run:name")!;
  expect(present(columns, wanted).map(({ id }) => id)).toEqual(["param:lr", "metric:loss:min"]);
  const view = {
    ...EMPTY_VIEW,
    columns: wanted,
    sort: ["-metric:loss:min"],
    groupBy: ["param:lr"],
    baseline: [0.1, null],
    query: "lr < 1",
  };
  expect(sameView(readView(JSON.parse(JSON.stringify(writeView(view))))!, view)).toBe(true);
  expect([readView(null), readView(3), readView({ for: "hparams" }), readView([])]).toEqual([null, null, null, null]);
  expect(readView({ for: "runs", sort: 3, columns: {}, query: null })).toEqual(EMPTY_VIEW);
});

test("a metric's column says which points it is made of", () => {
  const columns = new Map([info("metric:loss"), info("param:lr")]);
  expect(gridColumn(columns, { id: "metric:loss:min" }).hint).toBe(
    "metric loss min\nsmallest; points that a restart replaced are left out",
  );
  expect(gridColumn(columns, { id: "param:lr" }).hint).toBe("param lr");
});

test("metrics are tinted, their steps, counts and the machine's are not; a person's request wins", () => {
  const columns = new Map([info("metric:loss"), info("metric:system/cpu"), info("param:lr")]);
  expect(
    ["metric:loss:min", "metric:system/cpu:last", "metric:loss:min_step", "metric:loss:count", "param:lr"].map(
      (id) => gridColumn(columns, { id }).look,
    ),
  ).toEqual(["colour", "plain", "plain", "plain", "plain"]);
  expect(gridColumn(columns, { id: "param:lr", look: "bar", widthPx: 200 })).toMatchObject({
    title: "lr",
    look: "bar",
    widthPx: 200,
    type: "number",
  });
});
