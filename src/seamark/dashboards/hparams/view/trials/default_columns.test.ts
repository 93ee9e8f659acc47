import { expect, test } from "vitest";
import { runsTable, type ColumnInfo } from "$public/tables";
import { candidates, defaultColumns, paramsToShow, rankedMetrics } from "./default_columns";

const info = (id: string, change: Partial<ColumnInfo> = {}): ColumnInfo => ({
  id,
  name: id.slice(id.indexOf(":") + 1),
  source: id.slice(0, id.indexOf(":")) as ColumnInfo["source"],
  type: "number",
  runs: 10,
  mixed: false,
  low: null,
  high: null,
  values: null,
  ...change,
});

test("metrics come as the server ranks them; what it does not rank follows, the commonest first", () => {
  const columns = [
    info("metric:b"),
    info("metric:train/loss"),
    info("metric:val/loss"),
    info("metric:common", { runs: 12 }),
    info("param:loss"),
  ];
  expect(rankedMetrics(columns, ["val/loss", "train/loss"]).map(({ name }) => name)).toEqual([
    "val/loss",
    "train/loss",
    "common",
    "b",
  ]);
});

test("columns are those that tell trials apart; a seed does not", () => {
  const columns = [
    info("param:lr", { low: 1e-4, high: 1e-2 }),
    info("param:epochs", { low: 30, high: 30 }),
    info("param:seed", { low: 0, high: 9 }),
    info("param:only_some", { runs: 3, low: 1, high: 1 }),
    info("param:opt", {
      type: "text",
      values: [
        { value: "adam", runs: 5 },
        { value: "sgd", runs: 5 },
      ],
    }),
    info("metric:system/cpu"),
    info("metric:val/loss"),
    info("run:duration"),
  ];
  expect(paramsToShow(columns, 10).map(({ name }) => name)).toEqual(["lr", "opt", "only_some"]);
  expect(defaultColumns(columns, 10, "metric:val/loss:last", [])).toEqual([
    "metric:val/loss:last",
    "param:lr",
    "param:opt",
    "param:only_some",
    "run:duration",
  ]);
  expect(runsTable.varies(info("param:x", { low: 1, high: 1 }), 10)).toBe(false);
  expect(["seed", "train.seed", "random_seed", "data_seed", "rng"].every(runsTable.isSeed)).toBe(true);
  expect(["seeded", "proceed", "lr"].map(runsTable.isSeed)).toEqual([false, false, false]);
});

test("what trials differ in comes before what only some have, and what the filter leaves blank gives way", () => {
  const columns = [
    info("param:constant", { runs: 9, low: 1, high: 1 }),
    info("param:width", { runs: 4, low: 1, high: 2 }),
    info("param:seed", { low: 0, high: 1 }),
    info("metric:hparam/score", { runs: 4 }),
    info("metric:loss", { runs: 6 }),
  ];
  expect(paramsToShow(columns, 10).map(({ name }) => name)).toEqual(["width", "constant"]);
  expect(candidates(columns, 10, ["hparam/score", "loss"])).toEqual([
    "param:seed",
    "param:width",
    "param:constant",
    "metric:hparam/score:last",
    "metric:loss:last",
  ]);
  const blank = new Set(["metric:hparam/score:last", "param:width"]);
  expect(defaultColumns(columns, 10, "metric:loss:last", ["loss"], (id) => blank.has(id))).toEqual([
    "metric:loss:last",
    "param:constant",
  ]);
});
