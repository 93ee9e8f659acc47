import { afterEach, expect, test, vi } from "vitest";
import { nextSort } from "../../ui/grid/sort";
import { runsNamed, serve } from "./testing.svelte";

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a filter leaves the runs that match, by their own name or by the one they were given", () => {
  const { runs, notes } = runsNamed("sweep/a", "sweep/b", "other");
  notes.document.runs = { other: { label: "sweep too" } };
  runs.query = "sweep";
  expect(runs.shown).toEqual(["other", "sweep/a", "sweep/b"]);
  runs.query = "/a$";
  expect([runs.shown, runs.matching.length]).toEqual([["sweep/a"], 1]);
  runs.query = "(";
  expect([runs.shown.length, runs.filterError?.message]).toEqual([3, expect.stringContaining("All runs stay")]);
});

test("what is checked is in the address; only one run, and again for all", () => {
  const { runs, params } = runsNamed("a", "b", "c");
  runs.check(["b"], false);
  expect([runs.shown, params.get("runs")]).toEqual([["a", "c"], "-b"]);
  runs.showOnly(["c"]);
  expect([runs.shown, runs.isShown("a")]).toEqual([["c"], false]);
  runs.showOnly(["c"]);
  expect(runs.shown).toEqual(["a", "b", "c"]);
});

test("a run that is not shown cannot dim the others", () => {
  const { runs } = runsNamed("a", "b");
  runs.setFocus("b");
  expect(runs.focused).toBe("b");
  runs.check(["b"], false);
  expect(runs.focused).toBe(null);
});

test("the order is in the address, and starred runs stay first", () => {
  const { runs, params, notes } = runsNamed("a", "b", "c");
  runs.setSort(nextSort(nextSort([], "points"), "points"));
  expect([runs.sorted.map(({ name }) => name), params.get("runSort")]).toEqual([["c", "b", "a"], "-points"]);
  notes.document.runs = { a: { star: true } };
  expect(runs.sorted.map(({ name }) => name)).toEqual(["a", "c", "b"]);
  runs.setSort(nextSort(runs.sort, "points"));
  expect(params.get("runSort")).toBe(undefined);
});

test("folders collapse, and hidden runs are not listed until they are wanted", () => {
  const { runs, notes } = runsNamed("x/a", "x/b", "c");
  const labels = () => runs.rows.map((row) => ("label" in row ? row.label : "rule"));
  const open = labels();
  const folder = runs.rows.find((row) => row.kind === "folder")!;
  runs.toggleFolder(folder.id);
  expect([open.length, labels().length]).toEqual([4, 2]);
  notes.document.runs = { c: { hidden: true } };
  expect([labels().includes("c"), runs.hiddenCount]).toEqual([false, 1]);
  runs.showsHidden = true;
  expect(labels().includes("c")).toBe(true);
});

test("a run keeps its colour when others come", () => {
  const { runs, setNames } = runsNamed("a", "b");
  const before = runs.styleOf("a").token;
  setNames("a", "b", "c");
  expect([runs.styleOf("a").token, runs.shown]).toEqual([before, ["a", "b", "c"]]);
  expect(runs.styleOf("gone").label).toBe("gone");
});

test("the newest values of a tag are a column and an order; a tag that fails has none", async () => {
  const responses: Record<string, unknown> = { "api/last": { tags: [{ runs: ["a", "b"], values: [2, "NaN"] }] } };
  serve(responses);
  const { runs } = runsNamed("b", "a");
  runs.setMetric("loss");
  runs.setSort([{ id: "value", descending: false }]);
  runs.readValues();
  await settle();
  expect([runs.valueOf("a"), runs.sorted.map(({ name }) => name)]).toEqual([2, ["a", "b"]]);
  delete responses["api/last"];
  runs.setMetric("other");
  runs.readValues();
  await settle();
  expect(runs.valueOf("a")).toBe(undefined);
  runs.setMetric("");
  expect(runs.valueOf("a")).toBe(undefined);
});

test("the server says which runs an expression matches; until then none does, and all do if it fails", async () => {
  const responses: Record<string, unknown> = {
    "api/table": { version: 1, total: 3, matched: 1, start: 0, runs: ["a"], columns: [] },
  };
  const requests = serve(responses);
  const { runs, merge, params } = runsNamed("a", "a/eval", "b");
  merge({ "a/eval": { merged_into: "a" } });
  runs.query = "lr < 0.1";
  runs.settleQuery();
  runs.readTable("", false);
  expect(runs.shown).toEqual([]);
  await settle();
  expect([runs.shown, runs.shownRows]).toEqual([["a", "a/eval"], ["a"]]);
  params.set("foldersAsRuns", "true");
  expect(runs.shownRows).toEqual(["a", "a/eval"]);
  expect(requests.map(({ address }) => address)).toEqual(["api/table"]);
  delete responses["api/table"];
  const { runs: others } = runsNamed("a", "b");
  others.query = "lrr < 0.1";
  others.settleQuery();
  others.readTable("", false);
  await settle();
  expect([others.shown, others.filterError?.message]).toEqual([["a", "b"], "no such column"]);
});

test("an expression that is being typed is sent after a pause, a complete one at once", () => {
  vi.useFakeTimers();
  const { runs } = runsNamed("a");
  runs.settleQuery();
  runs.query = "lr <";
  runs.settleQuery();
  expect(runs.settledQuery).toBe("");
  vi.advanceTimersByTime(350);
  expect(runs.settledQuery).toBe("lr <");
  runs.query = "lr < 1";
  runs.settleQuery();
  expect(runs.settledQuery).toBe("lr < 1");
});

test("runs are grouped by the columns that the address names", async () => {
  const column = { id: "param:lr", type: "number", values: [1, 2], low: 1, high: 2 };
  serve({ "api/table": { version: 1, total: 2, matched: 2, start: 0, runs: ["a", "b"], columns: [column] } });
  const { runs } = runsNamed("a", "b");
  runs.readTable("columns:param:lr", false);
  await settle();
  const groups = ["a", "b"].map((run) => runs.columnGroups.groupOf(run));
  expect([new Set(groups).size, groups.includes(undefined)]).toEqual([2, false]);
  runs.readTable("", false);
  expect(runs.columnGroups.groupOf("a")).toBe(undefined);
});

test("the list shows the objective, or the likeliest metric that was logged, until somebody chooses", async () => {
  const { runs } = runsNamed("a", "b");
  const responses = {
    "api/table/statuses": { is_known: true, statuses: { crashed: ["a"], running: ["b"] } },
    "api/objective": {
      objective: { id: "metric:acc:max", goal: "max", part: "" },
      candidates: [],
      reason: "",
      ranked: ["system/cpu"],
    },
    "api/table": {
      version: 1,
      total: 2,
      matched: 2,
      start: 0,
      runs: ["a", "b"],
      columns: [{ id: "metric:acc:max", type: "number", values: [0.5, null], low: 0.5, high: 0.5 }],
    },
    "api/last": { tags: [{ tag: "loss", runs: ["b"], values: [2] }] },
  };
  const requests = serve(responses);
  runs.readObjective();
  expect(requests).toEqual([]);
  runs.readStatuses();
  await vi.waitFor(() =>
    expect([runs.statusOf("a"), runs.statusOf("b"), runs.statusOf("c")]).toEqual(["crashed", "running", undefined]),
  );
  expect([runs.styleOf("a").live, runs.styleOf("b").live]).toEqual([false, true]);
  runs.readObjective();
  await vi.waitFor(() => expect(runs.valueTitle).toBe("acc max"));
  runs.readValues();
  await vi.waitFor(() => expect([runs.valueOf("a"), runs.valueOf("b")]).toEqual([0.5, undefined]));
  runs.setMetric("loss");
  runs.readValues();
  await vi.waitFor(() => expect([runs.valueTitle, runs.valueOf("b")]).toEqual(["loss", 2]));
  runs.setMetric("");
  expect([runs.valueTitle, runs.valueOf("b")]).toEqual(["", undefined]);
});
