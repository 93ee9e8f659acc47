import { beforeEach, expect, test } from "vitest";
import { decodeColumns } from "../../columns";
import type { SiteFiles } from "../files/site_files";
import { getKey } from "../request_key";
import { importance, trialColumns, trials } from "./trial_answers";

const LOSS = "metric:loss:last";
const NAMES = ["a", "b", "c", "d", "e"];
const stored = new Map<string, unknown>();
const files = {
  json: (key: string) => Promise.resolve(stored.get(key) ?? null),
  read: (key: string) =>
    Promise.resolve(
      stored.has(key)
        ? {
            bytes: new TextEncoder().encode(String(stored.get(key))),
            form: { media: "", deflated: false, status: 200 },
          }
        : null,
    ),
} as unknown as SiteFiles;

function store(id: string, type: string, values: readonly unknown[]): void {
  const key = id.startsWith("metric:") ? id.slice(0, id.lastIndexOf(":")) : id;
  stored.set(`column\0${key}`, { [id]: { type, values } });
}

/** Two settings with two seeds each, and a run without hyperparameters: as compare/trials/test_trials.py. */
beforeEach(() => {
  stored.clear();
  stored.set("rows", NAMES);
  stored.set(getKey("api/table/columns"), { columns: [], merged_into: {}, inherits_params_from: {}, parts: [] });
  store("run:archived", "bool", Array<boolean>(NAMES.length).fill(false));
  store("run:status", "text", ["finished", "finished", "finished", "crashed", "finished"]);
  store("param:lr", "number", [0.1, 0.1, 0.2, 0.2, null]);
  store("param:seed", "number", [0, 1, 0, 1, null]);
  store("param:opt", "text", ["sgd", "adam", "sgd", "sgd", null]);
  store(LOSS, "number", [1, 2, 4, "NaN", 7]);
});

const request = (path: string, body: object) => ({
  files,
  method: "POST",
  path,
  parameters: new URLSearchParams(),
  body,
});
async function rows(body: object): Promise<{ runs: string[]; total: number; cells: unknown[][] }> {
  const page = (await (await trials(request("api/trials", { columns: [], ...body }))).json()) as {
    runs: string[];
    total: number;
    columns: { values: unknown[] }[];
  };
  return { runs: page.runs, total: page.total, cells: page.columns.map(({ values }) => values) };
}

test("runs that differ in their seed are one trial with a mean and a deviation", async () => {
  const columns = [LOSS, `left_out:${LOSS}`, `std:${LOSS}`, "param:lr", "param:opt"];
  const { runs, cells } = await rows({ group_by: ["param:lr"], columns });
  expect(runs).toEqual(["a", "c", "e"]);
  expect(cells).toEqual([
    [1.5, 4, 7],
    [0, 1, 0],
    [Math.SQRT1_2, null, null],
    [0.1, 0.2, null],
    [null, "sgd", null],
  ]);
});

test("filters and order see the means, and trials without a result come last", async () => {
  const by = { group_by: ["param:lr"] };
  expect((await rows({ ...by, where: { [LOSS]: [[1.2, 4]] } })).runs).toEqual(["a", "c"]);
  expect((await rows({ where: { [LOSS]: [[1.2, 4], "NaN"], "param:opt": ["sgd"] } })).runs).toEqual(["c", "d"]);
  expect((await rows({ where: { "param:lr": [null] } })).runs).toEqual(["e"]);
  expect((await rows({ ...by, sort: [`-${LOSS}`] })).runs).toEqual(["e", "c", "a"]);
  expect((await rows({ sort: ["-param:seed"], results_first: true })).runs).toEqual(["b", "a", "c", "e", "d"]);
});

test("one part stands for a trial, and another where it has none", async () => {
  const names = ["fit0", "fit0/train", "fit0/validation", "fit1", "fit1/train"];
  stored.set("rows", names);
  store("run:archived", "bool", Array<boolean>(names.length).fill(false));
  stored.set(getKey("api/table/columns"), {
    merged_into: {},
    inherits_params_from: { "fit0/train": "fit0", "fit0/validation": "fit0", "fit1/train": "fit1" },
    parts: ["validation", "train"],
  });
  expect(await rows({ part: "validation" })).toMatchObject({ runs: ["fit0/validation", "fit1/train"], total: 2 });
  expect(await rows({ part: "train" })).toMatchObject({ runs: ["fit0/train", "fit1/train"] });
  expect((await rows({})).runs).toEqual(names);
});

test("columns of all trials are numbers with states and categories", async () => {
  const body = { group_by: ["param:lr"], columns: ["param:opt", LOSS, "param:lr"] };
  const { header, columns } = decodeColumns(
    await (await trialColumns(request("api/trials/columns", body))).arrayBuffer(),
  );
  expect(header).toMatchObject({ total: 5, runs: [["a", "b"], ["c", "d"], ["e"]] });
  expect(header.values).toMatchObject([{ categories: ["sgd"] }, { categories: null }, {}]);
  expect([[...columns.number0!], [...columns.state0!]]).toEqual([
    [NaN, 0, NaN],
    [1, 0, 1],
  ]);
  expect([...columns.number1!]).toEqual([1.5, 4, 7]);
  expect([...columns.state2!]).toEqual([0, 0, 1]);
});

test("importance is there for all runs only", async () => {
  stored.set(`importance\0${LOSS}\0min`, "{}");
  const status = async (body: object): Promise<number> =>
    (await importance(request("api/importance", { target: LOSS, goal: "min", ...body }))).status;
  expect(await status({ group_by: ["param:lr"] })).toBe(200);
  expect(await status({ where: { "param:lr": [null] } })).toBe(404);
});
