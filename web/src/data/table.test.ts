import { afterEach, expect, test, vi } from "vitest";
import { goalOf, infoOf, metricId, parseColumnId, titleOf, typeOf } from "./column_id";
import { makeColumn } from "./testing";
import { fetchColumns, fetchGroups, fetchTable, QueryError, readNumbers, removeRuns, type ColumnInfo } from "./table";

afterEach(() => vi.unstubAllGlobals());

/** A server that gives one answer and remembers what it was asked. */
function server(status: number, body: unknown) {
  const asked: { address: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", (address: string, options: RequestInit) => {
    asked.push({ address, body: options.body === undefined ? undefined : JSON.parse(options.body as string) });
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}

test("a window of the table: words are numbers where the column holds numbers, and stay words in text", async () => {
  const asked = server(200, {
    version: 3,
    total: 9,
    matched: 2,
    start: 0,
    runs: ["a", "b"],
    columns: [
      { id: "metric:loss:min", type: "number", values: ["NaN", "-Infinity"], low: null, high: null },
      { id: "param:note", type: "text", values: ["NaN", null], low: null, high: null },
    ],
  });
  const page = await fetchTable({
    columns: ["metric:loss:min", "param:note"],
    sort: ["-metric:loss:min"],
    start: 0,
    stop: 2,
  });
  expect(page.columns.map((column) => column.values)).toEqual([
    [NaN, -Infinity],
    ["NaN", null],
  ]);
  expect(asked).toEqual([
    {
      address: "api/table",
      body: { columns: ["metric:loss:min", "param:note"], sort: ["-metric:loss:min"], start: 0, stop: 2 },
    },
  ]);
});

test("a query that cannot be read says where", async () => {
  server(400, { error: "there is no column lrr; did you mean lr?", at: 4, length: 3 });
  const failure = await fetchTable({ columns: [], query: "1 < lrr" }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(QueryError);
  expect(failure).toMatchObject({ message: "there is no column lrr; did you mean lr?", at: 4, length: 3 });
});

test("a refusal has its status, also when the answer is no JSON", async () => {
  server(403, { error: "start the server with --allow_delete" });
  await expect(removeRuns("trash", ["a"], true)).rejects.toMatchObject({
    status: 403,
    message: "start the server with --allow_delete",
  });
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response("<h1>bad gateway</h1>", { status: 502, statusText: "Bad Gateway" })),
  );
  await expect(fetchColumns()).rejects.toMatchObject({ name: "RequestError" });
});

test("numbers in groups are read, keys that are called NaN are not", async () => {
  server(200, {
    by: ["param:name"],
    problems: [],
    groups: [
      {
        key: ["NaN"],
        runs: ["a"],
        metrics: { "metric:loss:min": { n: 1, mean: "Infinity", std: null, best: { run: "NaN", value: "NaN" } } },
      },
    ],
  });
  const { groups } = await fetchGroups({ by: ["param:name"], metrics: ["metric:loss:min"] });
  expect(groups[0]).toEqual({
    key: ["NaN"],
    runs: ["a"],
    metrics: { "metric:loss:min": { n: 1, mean: Infinity, std: null, best: { run: "NaN", value: NaN } } },
  });
  expect(readNumbers({ x: ["NaN", 1], y: "NaN" }, new Set(["x"]))).toEqual({ x: [NaN, 1], y: "NaN" });
});

test("ids of columns: a tag may hold colons, a param dots", () => {
  expect(parseColumnId("metric:val/loss:min_step")).toEqual({ source: "metric", name: "val/loss", stat: "min_step" });
  expect(parseColumnId("metric:a:b:max")).toEqual({ source: "metric", name: "a:b", stat: "max" });
  expect(parseColumnId("metric:a:b")).toEqual({ source: "metric", name: "a:b", stat: null });
  expect(parseColumnId("param:optim.lr")).toEqual({ source: "param", name: "optim.lr", stat: null });
  expect([
    metricId("loss", "tail"),
    titleOf("metric:loss:last"),
    titleOf("metric:loss:max_step"),
    titleOf("run:job_type"),
  ]).toEqual(["metric:loss:tail", "loss", "loss max step", "job type"]);
});

test("a metric's type and goal: told, or by its name", () => {
  const columns = new Map<string, ColumnInfo>([["metric:score", makeColumn("metric:score", { goal: "min" })]]);
  expect([
    typeOf(columns, "metric:score:max"),
    infoOf(columns, "metric:score:max")?.id,
    goalOf(columns, "metric:score:last"),
  ]).toEqual(["number", "metric:score", "min"]);
  expect(
    ["metric:val/loss:last", "metric:top1_err:last", "metric:mse:min", "metric:accuracy:max"].map((id) =>
      goalOf(new Map(), id),
    ),
  ).toEqual(["min", "min", "min", "max"]);
});
