import { expect, test } from "vitest";
import { runsTable, type ColumnInfo } from "$public/tables";
import { candidates, paramsToShow, rankedMetrics, usualColumns } from "./choose";
import { columnOf, type WireColumn } from "./columns";
import { csvText, escaped, jsonText, latexText } from "../menus/files";
import { goodnessOf } from "./goodness";
import { bestRow, binsOf, meanWhere, topRows } from "./inside";
import { averaged, eachRun, sortRows } from "./seeds";

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
  expect(usualColumns(columns, 10, "metric:val/loss:last", [])).toEqual([
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
  expect(usualColumns(columns, 10, "metric:loss:last", ["loss"], (id) => blank.has(id))).toEqual([
    "metric:loss:last",
    "param:constant",
  ]);
});

const WIRES: readonly WireColumn[] = [
  { id: "param:lr", type: "number", values: [0.1, 0.1, 0.2, 0.2, null] },
  { id: "param:seed", type: "number", values: [0, 1, 0, 1, 0] },
  { id: "metric:loss:last", type: "number", values: [1, 2, 4, "NaN", 7] },
  { id: "run:status", type: "text", values: ["finished", "finished", "finished", "crashed", "finished"] },
];
const RUNS = ["a", "b", "c", "d", "e"];

test("runs that differ in their seed become one trial with a mean and a deviation", () => {
  const { rows, columns, deviations, leftOut } = averaged(RUNS, WIRES, new Set(["param:lr"]));
  expect(rows).toEqual([
    { key: "a", runs: ["a", "b"] },
    { key: "c", runs: ["c", "d"] },
    { key: "e", runs: ["e"] },
  ]);
  expect([...columns.get("metric:loss:last")!.numbers]).toEqual([1.5, 4, 7]);
  expect(leftOut.get("metric:loss:last")).toEqual([0, 1, 0]);
  expect(deviations.get("metric:loss:last")![0]).toBeCloseTo(Math.SQRT1_2);
  expect(columns.get("run:status")!.cells).toEqual(["finished", null, "finished"]);
  expect(columns.get("param:lr")!.cells).toEqual([0.1, 0.2, null]);
});

test("a trial of which no seed has a number is NaN, and one without any value is blank", () => {
  const values = ["NaN", "Infinity", null, null];
  const { columns } = averaged(
    ["a", "b", "c", "d"],
    [
      { id: "param:lr", type: "number", values: [1, 1, 2, 2] },
      { id: "metric:x:last", type: "number", values },
    ],
    new Set(["param:lr"]),
  );
  expect(columns.get("metric:x:last")!.cells).toEqual([NaN, null]);
});

test("rows sort by several columns, with NaN and blanks last both ways", () => {
  const trials = eachRun(RUNS, WIRES);
  const sorted = (...keys: [string, boolean][]): string =>
    sortRows(
      [0, 1, 2, 3, 4],
      trials,
      keys.map(([id, descending]) => ({ id, descending })),
      (row) => RUNS[row]!,
    )
      .map((row) => RUNS[row])
      .join("");
  expect(sorted(["metric:loss:last", false])).toBe("abced");
  expect(sorted(["metric:loss:last", true])).toBe("ecbad");
  expect(sorted(["param:lr", true], ["param:seed", true])).toBe("dcbae");
  expect(sorted(["run:name", true])).toBe("edcba");
});

test("inside the brush: means, the share of the best, and where they lie", () => {
  const { columns } = eachRun(RUNS, WIRES);
  const loss = columns.get("metric:loss:last")!;
  const inside = Uint8Array.from([1, 1, 0, 1, 0]);
  expect(meanWhere(loss, inside, 1)).toEqual({ count: 2, mean: 1.5 });
  expect(meanWhere(loss, inside, 0)).toEqual({ count: 2, mean: 5.5 });
  const goodness = goodnessOf(loss, "min");
  expect(topRows(goodness, 3)).toEqual([0, 1, 2]);
  expect(bestRow(goodness)).toBe(0);
  expect(bestRow(goodness, Uint8Array.from([0, 0, 1, 1, 1]))).toBe(2);
  expect(bestRow(goodnessOf(loss, "max"))).toBe(4);
  expect(bestRow(goodnessOf(columnOf({ id: "x:y", type: "number", values: [null, "NaN"] }), "min"))).toBeNull();
  const bins = binsOf(goodness, inside, 3);
  expect([bins.from, bins.to, [...bins.all], [...bins.inside]]).toEqual([1, 7, [2, 1, 1], [2, 0, 0]]);
});

const HOSTILE = 'a,"b"\n<script>_50%$&{}\\^~';
const SHOWN = {
  rows: [2, 0],
  names: ["first", "second", HOSTILE],
  columns: [
    columnOf({ id: "param:lr", type: "number", values: [0.00012345678901234567, 2, "NaN"] }),
    columnOf({ id: "param:opt", type: "text", values: ["a_b", "x", null] }),
    columnOf({ id: "metric:val/loss:min", type: "number", values: [0.123456789, 9, 5] }),
  ],
  objective: { id: "metric:val/loss:min", goal: "min" as const },
};

test("CSV has every digit, and quotes what needs it", () => {
  expect(csvText(SHOWN)).toBe(
    'trial,lr,opt,val/loss min\r\n"a,""b""\n<script>_50%$&{}\\^~",NaN,,5\r\nfirst,0.00012345678901234567,a_b,0.123456789\r\n',
  );
});

test("JSON tells parameters from metrics and has words for what JSON cannot say", () => {
  const trials = JSON.parse(jsonText(SHOWN)) as {
    trial: string;
    params: Record<string, unknown>;
    metrics: Record<string, unknown>;
  }[];
  expect(trials[0]).toEqual({ trial: HOSTILE, params: { lr: "NaN", opt: null }, metrics: { "val/loss.min": 5 } });
  expect(trials[1]!.params.lr).toBe(0.00012345678901234567);
});

test("LaTeX compiles whatever the names hold, and the best is bold", () => {
  const text = latexText(SHOWN);
  expect(text).toContain("\\begin{tabular}{lrlr}");
  expect(text).toContain("first & $1.235 \\cdot 10^{-4}$ & a\\_b & \\textbf{$0.1235$} \\\\");
  expect(text).toContain(" & NaN & -- & $5$ \\\\");
  expect(escaped(HOSTILE)).toBe(
    'a,"b" \\textless{}script\\textgreater{}\\_50\\%\\$\\&\\{\\}\\textbackslash{}\\textasciicircum{}\\textasciitilde{}',
  );
});
