import { beforeEach, describe, expect, test } from "vitest";
import { consoleLines } from "./runs/console_answers";
import { diff } from "./runs/diff_answers";
import { nearest } from "./kinds/graph_answers";
import { thin } from "./kinds/histogram_answers";
import { traceWindow } from "./kinds/profile_answers";
import { getKey, postKey } from "./request_key";
import type { SiteFiles } from "./files/site_files";
import type { SiteRequest } from "./site_request";
import { StateAnswers } from "./state_answers";
import { table, tableColumns } from "./runs/table_answers";
import { searchTexts } from "./kinds/text_answers";
import { encodeColumns } from "./encode_columns";
import { decodeColumns } from "../columns";

const stored = new Map<string, unknown>();
beforeEach(() => stored.clear());

/** What is in `stored`, as a site's files. */
const files = {
  has: (key: string) => stored.has(key),
  json: (key: string) => Promise.resolve(stored.get(key) ?? null),
  read: (key: string) => {
    const found = stored.get(key);
    if (found === undefined) return Promise.resolve(null);
    const bytes = found instanceof Uint8Array ? found : new TextEncoder().encode(String(found));
    return Promise.resolve({ bytes, form: { media: "", deflated: false, status: 200 } });
  },
} as unknown as SiteFiles;

const request = (path: string, parameters: string | URLSearchParams = "", body?: unknown): SiteRequest => ({
  files,
  method: body === undefined ? "GET" : "POST",
  path,
  parameters: new URLSearchParams(parameters),
  body,
});
const json = async (response: Response | Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await response).json()) as Record<string, unknown>;

describe("keys equal those of publish/request_key.py", () => {
  test("defaults and wall times are left out, names are sorted, repeated ones keep their order", () => {
    const parameters = new URLSearchParams("b=1&a=x&steps=&all=false&wall=3.5&run=b&run=a");
    expect(getKey("api/x", parameters)).toBe("GET api/x\0a=x\0b=1\0run=b\0run=a");
    expect(postKey("api/x", { b: [1, null], a: "é", c: undefined })).toBe('POST api/x\0{"a":"é","b":[1,null]}');
  });
});

describe("the table of runs", () => {
  beforeEach(() => {
    stored.set("rows", ["slow", "fast", "old"]);
    stored.set("column\0run:archived", { "run:archived": { type: "bool", values: [false, false, true] } });
    stored.set("column\0run:label", { "run:label": { type: "text", values: [null, "The Best", null] } });
    stored.set("column\0param:lr", { "param:lr": { type: "number", values: [0.01, null, 0.1] } });
    stored.set("column\0param:depth", { "param:depth": { type: "text", values: [18, "auto", "50"] } });
    stored.set("column\0metric:loss", {
      "metric:loss:min": { type: "number", values: [2, 10, "NaN"] },
      "metric:loss:last": { type: "number", values: [3, 11, 4] },
    });
    stored.set(getKey("api/table/columns"), {
      merged_into: { part: "slow" },
      columns: [
        { id: "param:lr", name: "lr", type: "number" },
        { id: "param:depth", name: "depth", type: "text", mixed: true },
        { id: "metric:loss", name: "loss", stats: ["min", "last"] },
        { id: "run:name", name: "name", type: "text" },
        { id: "run:archived", name: "archived" },
      ],
    });
    stored.set("column\0run:name", { "run:name": { type: "text", values: ["slow", "fast", "old"] } });
  });
  const runsOf = async (body: object): Promise<unknown> => (await json(table(request("api/table", "", body)))).runs;

  test("archived runs are hidden unless requested", async () => {
    expect(await runsOf({})).toEqual(["slow", "fast"]);
    expect(await runsOf({ archived: "only" })).toEqual(["old"]);
  });

  test("rows are sorted as numbers, blanks last either way", async () => {
    expect(await runsOf({ archived: "show", sort: ["metric:loss:min"] })).toEqual(["slow", "fast", "old"]);
    expect(await runsOf({ archived: "show", sort: ["-metric:loss:min"] })).toEqual(["fast", "slow", "old"]);
    expect(await runsOf({ archived: "show", sort: ["-param:lr"] })).toEqual(["old", "slow", "fast"]);
  });

  test("names and labels are searched as text or pattern", async () => {
    expect(await runsOf({ query: "FAS" })).toEqual(["fast"]);
    expect(await runsOf({ query: "best" })).toEqual(["fast"]);
    expect(await runsOf({ query: "^s|x$" })).toEqual(["slow"]);
  });

  test.each([
    ["lr < 0.1", ["slow"]],
    ["not lr < 0.1", []],
    ["lr is None", ["fast"]],
    ['lr == None or metric["loss"].min <= 2', ["slow", "fast"]],
    ['0 < loss.last < 5 and "lo" in name', ["slow"]],
    ["loss.last in [11, 12]", ["fast"]],
    ['depth in [18, "auto"]', ["slow", "fast"]],
    ['startswith(name, "f") and not archived', ["fast"]],
    ["loss.last ** 2 - 1 == 8", ["slow"]],
    ["isnan(metric['loss'].min) or loss.last > 10", ["fast"]],
  ])("the expression %s is evaluated", async (query, runs) => {
    expect(await runsOf({ query })).toEqual(runs);
  });

  test.each([
    ["lr < ", "something is missing at the end", 4],
    ["lr < 0.1 and nothing == 3", "there is no column 'nothing' in this site", 0],
    ["sqrt(lr) > 1 and lr > 0", "there is no function 'sqrt'", 0],
    ["name < 3 + name", "this needs a number", 0],
    // As on a server: src/seamark/compare/query/test_expression.py.
    ['lr == "x"', "'==' compares 'lr', which is a number, with 'x', which is text", 0],
    ['lr in (1, "0.01")', "'in' compares 'lr', which is a number, with '0.01', which is text; write 0.01 without quotes", 0], // prettier-ignore
    ["not (loss.last > 1 and name in [3])", "with 3, which is a number; write it in quotes", 0],
  ])("an error in %s has a sentence and a position", async (query, sentence, at) => {
    const answer = await table(request("api/table", "", { query }));
    expect(answer.status).toBe(400);
    expect(await json(answer)).toMatchObject({ error: expect.stringContaining(sentence) as string, at });
  });

  test("a window has its columns, ranges over all matching rows, and blanks for what is not published", async () => {
    const body = { columns: ["metric:loss:last", "run:host"], start: 1, runs: ["part", "fast"] };
    expect(await json(table(request("api/table", "", body)))).toMatchObject({
      matched: 2,
      runs: ["fast"],
      columns: [
        { id: "metric:loss:last", values: [11], low: 3, high: 11 },
        { id: "run:host", values: [null], low: null, high: null },
      ],
    });
  });

  test("columns are found by their words", async () => {
    const answer = await json(tableColumns(request("api/table/columns", "search=LO")));
    expect(answer.columns).toMatchObject([{ id: "metric:loss" }]);
  });
});

describe("comparisons", () => {
  test("are put together from what each run contributes", async () => {
    const metric = (final: number): object => ({
      ...{ final, final_step: 9, best: final, best_step: 9, goal: "min", is_result: true },
    });
    stored.set("diff\0a", { sections: { config: { lr: 1, seed: 0 } }, metrics: { loss: metric(1) }, git_diff: null });
    stored.set("diff\0b", {
      sections: { config: { lr: 2, seed: 0, new: true } },
      metrics: { loss: metric(2) },
      git_diff: "x",
    });
    const answer = await json(diff(request("api/diff", "", { runs: ["a", "b"] })));
    expect(answer.sections).toEqual([
      {
        name: "config",
        rows: [
          { key: "lr", values: [1, 2], state: "changed" },
          { key: "seed", values: [0, 0], state: "same" },
          { key: "new", values: [null, true], state: "added" },
        ],
      },
    ]);
    expect(answer.metrics).toMatchObject([{ tag: "loss", goal: "min", final: [1, 2], best_step: [9, 9] }]);
    expect((await diff(request("api/diff", "", { runs: ["a", "gone"] }))).status).toBe(404);
  });
});

describe("the console", () => {
  beforeEach(() => stored.set("console\0r\0log", { first: 100, lines: ["one", "Two", "three"] }));
  const linesOf = async (parameters: string): Promise<unknown> =>
    json(consoleLines(request("api/run/console", `run=r&source=log&${parameters}`)));

  test("windows count lines that are not published", async () => {
    expect(await linesOf("start=-2")).toMatchObject({
      total: 103,
      start: 101,
      lines: [{ number: 101 }, { number: 102 }],
    });
    expect(await linesOf("start=0&stop=102")).toMatchObject({ start: 100, lines: [{ text: "one" }, { text: "Two" }] });
  });

  test("a search ignores the case of A to Z", async () => {
    expect(await linesOf("search=two&start=0")).toMatchObject({ matched: 1, lines: [{ number: 101, text: "Two" }] });
  });
});

test("state is changed in this page only", async () => {
  stored.set(getKey("api/state"), {
    version: 3,
    runs: { a: { label: "A", star: true } },
    pins: [],
    views: {},
    dashboards: {},
  });
  const state = new StateAnswers(files);
  const change = { version: 3, runs: { a: { star: null, note: "x" } }, pins: [1] };
  expect(await json(state.patch(request("api/state", "", change)))).toMatchObject({
    version: 4,
    runs: { a: { label: "A", note: "x" } },
    pins: [1],
  });
  expect((await json(state.get())).version).toBe(4);
});

test("texts are searched for all words", async () => {
  stored.set(getKey("api/tags"), { runs: ["r"], kinds: { text: [{ tag: "t", runs: [0] }] } });
  const list = Object.entries({ run: "r", tag: "t", kind: "text", attempts: "latest" });
  stored.set(getKey("api/payloads", list), { index: [0, 1], steps: [5, 6], walls: [1, 2] });
  const text = (index: string): string =>
    getKey("api/dashboards/text/download", Object.entries({ run: "r", tag: "t", index }));
  stored.set(text("0"), "nothing here");
  stored.set(text("1"), "The Quick brown fox");
  const answer = await json(searchTexts(request("api/dashboards/text/search", 'q=fox "quick brown"')));
  expect(answer).toMatchObject({ searched: 2, next: null, matches: [{ index: 1, step: 6, hit: "fox" }] });
});

test("histograms are thinned as on the server", () => {
  const rows = Array.from({ length: 10 }, (_, row) => row);
  expect(thin(rows, 0)).toBe(rows);
  expect(thin(rows, 5)).toEqual([0, 4, 8, 9]);
  expect(thin([3, 4, 5, 6], 3)).toEqual([4, 6]);
});

test("the nearest stored view of a graph has what was opened last", () => {
  const states = [["a/"], [], ["a/", "b/"], ["a/", "c/"]];
  expect(nearest(states, ["a/", "b/"])).toEqual(["a/", "b/"]);
  expect(nearest(states, ["a/", "b/", "c/"])).toEqual(["a/", "c/"]);
  expect(nearest(states, [])).toEqual([]);
});

test("narrow slices of a trace are merged, wide ones are not", async () => {
  stored.set(
    "trace\0r\0c\0h",
    encodeColumns(
      { total: 5 },
      {
        row: Int32Array.of(0, 0, 0, 0, 1),
        start: Float64Array.of(0, 2, 4, 500, 0),
        duration: Float64Array.of(1, 2, 1, 300, 900),
        name: Uint32Array.of(0, 1, 2, 3, 4),
        count: Uint32Array.of(1, 1, 1, 1, 1),
      },
    ),
  );
  const parameters = "run=r&capture=c&host=h&start=0&end=1000&width=100&rows=0-0";
  const answer = await traceWindow(request("api/dashboards/profile/window", parameters));
  const { columns } = decodeColumns(await answer.arrayBuffer());
  expect([...columns.name!]).toEqual([1, 3]);
  expect([...columns.count!]).toEqual([3, 1]);
});
