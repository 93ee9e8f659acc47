import { expect, test } from "vitest";
import { QueryError, type TablePage, type TableRequest } from "./table";
import { TableSource } from "./table_source.svelte";

/** A table of numbers: row i of column c is i, or its mirror image when sorted downwards. */
function tableOf(matched: number) {
  const requests: TableRequest[] = [];
  const state = { version: 1, fails: null as Error | null };
  const fetchPage = (request: TableRequest): Promise<TablePage> => {
    requests.push(request);
    if (state.fails) return Promise.reject(state.fails);
    const start = request.start ?? 0;
    const stop = request.stop ?? matched;
    const rows = Array.from({ length: Math.min(stop, matched) - start }, (_, offset) =>
      request.sort?.[0]?.startsWith("-") ? matched - 1 - start - offset : start + offset,
    );
    return Promise.resolve({
      version: state.version,
      total: matched * 2,
      matched,
      start,
      runs: rows.map((row) => `run ${row}`),
      columns: (request.columns ?? []).map((id) => ({
        id,
        type: "number" as const,
        values: rows,
        low: 0,
        high: matched - 1,
      })),
    });
  };
  return { requests, state, source: new TableSource(fetchPage, 0) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("rows are loaded in blocks as they become visible, and no block twice", async () => {
  const { requests, source } = tableOf(1000);
  source.request({ query: "lr < 1" });
  source.load({ from: 0, to: 40 }, ["a", "b"]);
  await settle();
  expect([source.total, source.all, source.cell(39, "b"), source.keyOf(39), source.extentOf("a")]).toEqual([
    1000,
    2000,
    39,
    "run 39",
    [0, 999],
  ]);
  source.load({ from: 20, to: 60 }, ["a", "b"]);
  await settle();
  const before = requests.length;
  source.load({ from: 500, to: 540 }, ["a", "b"]);
  await settle();
  expect(requests.slice(before)).toEqual([{ query: "lr < 1", columns: ["a", "b"], start: 448, stop: 576 }]);
  expect(source.cell(520, "a")).toBe(520);
  expect(source.cell(20, "a")).toBe(20);
});

test("a page says why the server evaluated the query", async () => {
  const source = new TableSource(
    (request) =>
      Promise.resolve({
        version: 1,
        total: 1,
        matched: 0,
        start: 0,
        runs: [],
        columns: [],
        ...(request.query === "log(loss) < 1" ? { computed_here: "The database rounds log() differently." } : {}),
      }),
    0,
  );
  source.request({ query: "loss < 1" });
  await settle();
  expect(source.computedHere).toBe("");
  source.request({ query: "log(loss) < 1" });
  await settle();
  expect(source.computedHere).toBe("The database rounds log() differently.");
});

test("of a long table that is scrolled through only the blocks near the screen stay", async () => {
  const { requests, source } = tableOf(100_000);
  source.request({});
  for (let from = 0; from < 40_000; from += 640) {
    source.load({ from, to: from + 640 }, ["a"]);
    await settle();
  }
  expect([source.cell(39_000, "a"), source.cell(0, "a")]).toEqual([39_000, undefined]);
  const before = requests.length;
  source.load({ from: 0, to: 40 }, ["a"]);
  await settle();
  expect([requests.length - before, source.cell(0, "a")]).toEqual([1, 0]);
});

test("a column that comes on screen later is fetched alone", async () => {
  const { requests, source } = tableOf(100);
  source.request({});
  source.load({ from: 0, to: 40 }, ["a"]);
  await settle();
  source.load({ from: 0, to: 40 }, ["a", "c"]);
  await settle();
  expect(requests.at(-1)).toEqual({ columns: ["c"], start: 0, stop: 64 });
  expect([source.cell(3, "a"), source.cell(3, "c")]).toEqual([3, 3]);
});

test("another order replaces the rows at once; what is shown stays until it is there", async () => {
  const { source } = tableOf(100);
  source.request({ sort: ["a"] });
  source.load({ from: 0, to: 10 }, ["a"]);
  await settle();
  source.request({ sort: ["-a"] });
  expect(source.cell(0, "a")).toBe(0);
  await settle();
  expect(source.cell(0, "a")).toBe(99);
});

test("windows of two versions are never mixed", async () => {
  const { state, source } = tableOf(1000);
  source.request({});
  source.load({ from: 0, to: 10 }, ["a"]);
  await settle();
  state.version = 2;
  source.load({ from: 500, to: 510 }, ["a"]);
  await settle();
  expect([source.cell(500, "a"), source.cell(0, "a")]).toEqual([500, undefined]);
});

test("a query that cannot be read keeps the rows, with its error; a better one takes over", async () => {
  const { state, source } = tableOf(100);
  source.request({});
  source.load({ from: 0, to: 10 }, ["a"]);
  await settle();
  state.fails = new QueryError("no column lrr", 2, 3);
  source.request({ query: "1<lrr" });
  await settle();
  expect([source.queryError?.at, source.cell(0, "a")]).toEqual([2, 0]);
  state.fails = null;
  source.request({ query: "1<lr" });
  await settle();
  expect(source.error).toBe(null);
});

test("new data are loaded with the same request", async () => {
  const { requests, source } = tableOf(10);
  source.request({}, 1);
  source.load({ from: 0, to: 10 }, ["a"]);
  await settle();
  const before = requests.length;
  source.request({}, 1);
  source.request({}, 2);
  await settle();
  expect(requests.length).toBe(before + 1);
});

test("keys of rows that were never on screen", async () => {
  const { source } = tableOf(1000);
  source.request({ sort: ["-a"] });
  expect(await source.keysOf(998, 1000)).toEqual(["run 1", "run 0"]);
});
