import { expect, test } from "vitest";
import type { ColumnInfo, ObjectiveChoice } from "$public/tables";
import { defaultColumns } from "./default_columns";
import { columnFrom } from "../columns/testing";
import { latexText } from "../menus/files";
import { goodnessOf } from "../columns/goodness";
import { bestRow, topRows } from "./inside";
import { judge, NO_CHOICE, objectiveWords, onlyResults, withoutResult } from "./objective";

const COUNTED = { runs: 3, mixed: false, low: null, high: null, values: null };
const metric = (name: string, goal: NonNullable<ColumnInfo["goal"]>): [string, ColumnInfo] => [
  `metric:${name}`,
  { ...COUNTED, id: `metric:${name}`, name, source: "metric", type: "number", goal },
];
const COLUMNS = new Map([metric("loss", "min"), metric("acc", "max"), metric("value", "")]);
const NOTHING = { id: undefined, goal: undefined };
const CERTAIN: ObjectiveChoice = {
  objective: { id: "metric:value:last", goal: "min", part: "" },
  candidates: [],
  reason: "The study minimizes it",
  ranked: [],
};
const OPEN: ObjectiveChoice = {
  objective: null,
  candidates: [
    { id: "metric:acc:last", goal: "max", part: "" },
    { id: "metric:value:last", goal: "", part: "" },
  ],
  reason: "Several metrics may be meant",
  ranked: [],
};

test("what the server is certain of is the objective, until a person chooses", () => {
  expect(judge(CERTAIN, COLUMNS, NOTHING).objective).toEqual({
    id: "metric:value:last",
    tag: "value",
    goal: "min",
    reason: "The study minimizes it",
  });
  expect(judge(CERTAIN, COLUMNS, { id: "metric:acc:max", goal: undefined }).objective).toMatchObject({
    id: "metric:acc:max",
    goal: "max",
  });
  expect(judge(CERTAIN, COLUMNS, { id: "metric:loss:last", goal: "max" }).objective).toMatchObject({
    goal: "max",
    reason: "You chose it",
  });
  expect(judge(CERTAIN, COLUMNS, { id: "metric:gone:last", goal: undefined }).objective?.tag).toBe("value");
});

test("what is not certain is asked, and nothing is the objective", () => {
  const { objective, question } = judge(OPEN, COLUMNS, NOTHING);
  expect(objective).toBeNull();
  expect(question?.options.map(objectiveWords)).toEqual(["acc, highest", "value, lowest", "value, highest"]);
  expect(judge(NO_CHOICE, COLUMNS, NOTHING)).toEqual({ objective: null, question: null, undecided: null });
});

test("a chosen metric whose better end nobody knows is asked about", () => {
  const { objective, question, undecided } = judge(NO_CHOICE, COLUMNS, { id: "metric:value:min", goal: undefined });
  expect([objective, undecided]).toEqual([null, "metric:value:min"]);
  expect(question?.options).toEqual([
    { id: "metric:value:min", goal: "min" },
    { id: "metric:value:min", goal: "max" },
  ]);
  expect(judge(NO_CHOICE, COLUMNS, { id: "metric:value:min", goal: "min" }).objective?.goal).toBe("min");
});

const STATUSES = columnFrom({
  id: "run:status",
  type: "text",
  values: ["pruned", "finished", "failed", "killed", "crashed"],
});
const LOSS = columnFrom({ id: "metric:loss:last", type: "number", values: [0.1, 0.3, 0.2, 0.4, 0] });
const OUT = withoutResult(STATUSES, 5);

test("pruned, failed and crashed trials never win, take no colours and come last", () => {
  expect([...OUT]).toEqual([1, 0, 1, 0, 1]);
  const goodness = goodnessOf(onlyResults(LOSS, OUT), "min");
  expect(bestRow(goodness)).toBe(1);
  expect(topRows(goodness, 5)).toEqual([1, 3]);
  expect([goodness.best, goodness.worst]).toEqual([0.3, 0.4]);
  expect(goodness.of[0]).toBe(0);
  const column = { id: LOSS.id, type: LOSS.type, values: [0.1, 0.3], low: null, high: null };
  const shown = { names: ["a", "b"], columns: [column], objective: { id: LOSS.id, goal: "min" as const } };
  expect(latexText({ ...shown, hasResult: (row) => OUT[row] !== 1 })).toContain("b & \\textbf{$0.3$}");
});

test("where some trials ended without a result, the table says how each ended", () => {
  const status = (value: string): ColumnInfo => ({
    ...COUNTED,
    id: "run:status",
    name: "status",
    source: "run",
    type: "text",
    values: [{ value, runs: 3 }],
  });
  expect(defaultColumns([status("pruned"), ...COLUMNS.values()], 3, "metric:loss:last", ["acc"])).toEqual([
    "run:status",
    "metric:loss:last",
    "metric:acc:last",
    "metric:value:last",
  ]);
  expect(defaultColumns([status("finished")], 3, null, [])).toEqual([]);
});
