import { SvelteMap } from "svelte/reactivity";
import { afterEach, expect, test, vi } from "vitest";
import type { DashboardContext } from "$public/core";
import {
  runsTable,
  type ColumnInfo,
  type ColumnList,
  type TrialColumns,
  type TrialSelection,
  type TrialsRequest,
} from "$public/tables";
import { columnFrom } from "../columns/testing";
import { TrialsStore } from "./trials_store.svelte";

const LOSS = "metric:loss:last";
const info = (id: string, change: Partial<ColumnInfo> = {}): ColumnInfo => ({
  id,
  name: id.slice(id.indexOf(":") + 1),
  source: id.slice(0, id.indexOf(":")) as ColumnInfo["source"],
  type: "number",
  runs: 3,
  mixed: false,
  low: 0,
  high: 1,
  values: null,
  ...change,
});
const LIST: ColumnList = {
  version: 1,
  runs: 3,
  columns: [
    info("run:status", { type: "text" }),
    info("run:duration", { type: "duration" }),
    info("param:lr"),
    info("param:seed"),
    info("metric:loss", { goal: "min" }),
  ],
  merged_into: { "a/part": "a" },
  inherits_params_from: {},
  left_out: {},
  parts: [],
  problems: [],
};
const CELLS: Readonly<Record<string, readonly (number | string | null)[]>> = {
  "param:lr": [0.1, 0.2, 0.3],
  "param:seed": [0, 0, 1],
  [LOSS]: [3, 1, 2],
  "run:status": ["finished", "crashed", "finished"],
  "run:duration": [5, 6, 7],
};

interface Answer {
  readonly request: TrialSelection & { readonly columns: readonly string[] };
  resolve(rows?: readonly number[]): void;
}

/** The store of a page with this address, and the requests for columns that wait for an answer. */
async function opened(address: Readonly<Record<string, string>> = {}) {
  const url = new SvelteMap<string, string>(Object.entries(address));
  const set = (name: string, value: string | undefined) =>
    value === undefined ? url.delete(name) : url.set(name, value);
  vi.spyOn(runsTable, "columns").mockResolvedValue(LIST);
  vi.spyOn(runsTable, "objective").mockResolvedValue({
    objective: { id: LOSS, goal: "min", part: "" },
    candidates: [],
    reason: "Chosen by its name",
    ranked: ["loss"],
  });
  const answers: Answer[] = [];
  vi.spyOn(runsTable, "trialColumns").mockImplementation(
    (request) =>
      new Promise<TrialColumns>((resolve) => {
        answers.push({
          request,
          resolve: (rows = [0, 1, 2]) =>
            resolve({
              version: 1,
              total: 3,
              runs: rows.map((row) => [["a"], ["b"], ["c"]][row]!),
              columns: request.columns.map((id) => {
                const type = id === "run:status" ? "text" : "number";
                const column = columnFrom({ id, type, values: rows.map((row) => CELLS[id]![row]!) });
                return { ...column, categories: column.categoryCells };
              }),
            }),
        });
      }),
  );
  const windows: TrialsRequest[] = [];
  vi.spyOn(runsTable, "trials").mockImplementation((request) => {
    windows.push(request);
    return Promise.resolve({ version: 1, total: 3, matched: 3, start: 0, runs: ["b", "c", "a"], columns: [] });
  });
  const context = {
    url: { get: (name: string) => url.get(name), set },
    runs: { query: "", focused: null, styleOf: (run: string) => ({ label: run }) },
    catalogue: { changedAt: 0, runs: [] },
    selection: { item: null },
  } as unknown as DashboardContext;
  const store = new TrialsStore(context);
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const load = async () => {
    store.loadObjective();
    store.loadTrials();
    await settle();
  };
  store.loadColumns();
  await settle();
  await load();
  await load();
  return { store, answers, windows, settle, load };
}

afterEach(() => vi.restoreAllMocks());

test("the table and the pictures ask for the same trials, the table in an order", async () => {
  const { store, answers, windows } = await opened({ where: '{"param:lr":[[0,0.25]],"param:gone":[null]}' });
  expect(answers.map(({ request }) => request)).toEqual([
    { where: { "param:lr": [[0, 0.25]] }, columns: ["param:lr", LOSS, "run:status", "run:duration"] },
  ]);
  expect(windows[0]).toMatchObject({ where: { "param:lr": [[0, 0.25]] }, sort: [LOSS], results_first: true });
  expect([store.isRead, store.isCurrent]).toEqual([false, false]);
});

test("a brush asks for nothing", async () => {
  const { store, answers, windows, settle, load } = await opened();
  answers[0]!.resolve();
  await settle();
  const before = windows.length;
  store.settings.setBrush(new Map([["param:lr", [[0.15, 0.35]]]]), false);
  await load();
  expect([...store.inside]).toEqual([0, 1, 1]);
  expect([answers.length, windows.length, store.insideCount]).toEqual([1, before, 2]);
  // The crashed trial is never the best one.
  expect([store.best, store.bestInside, store.highlighted]).toEqual([2, 2, 2]);
  expect(store.isInside("a")).toBe(false);
});

test("a brush that becomes a filter is shown before the server has answered", async () => {
  const { store, answers, settle, load } = await opened();
  answers[0]!.resolve();
  await settle();
  store.settings.setBrush(new Map([["param:lr", [[0.15, 0.35]]]]));
  store.settings.keepBrushed();
  await load();
  expect(store.settings.brush.size).toBe(0);
  expect([...store.inside]).toEqual([0, 1, 1]);
  expect([store.isCurrent, store.isNarrowed]).toEqual([false, true]);
  expect(answers.at(-1)!.request.where).toEqual({ "param:lr": [[0.15, 0.35]] });
  answers.at(-1)!.resolve([1, 2]);
  await settle();
  expect([store.isCurrent, store.isNarrowed, store.trials.rows.length]).toEqual([true, false, 2]);
  expect([...store.inside]).toEqual([1, 1]);
});

test("runs are grouped by what differs except seeds, and means have deviations", async () => {
  const { store, answers, windows } = await opened({ seeds: "averaged" });
  expect(store.settings.seeds).toEqual(new Set(["param:seed"]));
  expect(answers[0]!.request.group_by).toEqual(["param:lr"]);
  expect(windows[0]!.group_by).toEqual(["param:lr"]);
  expect(store.aroundMean(LOSS)).toEqual({ deviation: `std:${LOSS}`, leftOut: `left_out:${LOSS}` });
  expect([store.aroundMean("param:lr"), store.aroundMean("run:status")]).toEqual([null, null]);
});

test("another order is asked of the table only", async () => {
  const { store, answers, windows, settle, load } = await opened();
  answers[0]!.resolve();
  await settle();
  store.settings.setSort([{ id: "param:lr", descending: true }]);
  await load();
  expect(answers).toHaveLength(1);
  expect(windows.at(-1)).toMatchObject({ sort: ["-param:lr"] });
  expect(windows.at(-1)!.results_first).toBeUndefined();
  const requests = windows.length;
  expect(await store.keysInOrder()).toEqual(["b", "c", "a"]);
  expect(await store.keysInOrder()).toEqual(["b", "c", "a"]);
  expect(windows.slice(requests)).toEqual([{ sort: ["-param:lr"], columns: [] }]);
  expect(store.runsOf([0])).toEqual(["a", "a/part"]);
});
