import { afterEach, expect, test, vi } from "vitest";
import { runsNamed, serve } from "../testing.svelte";
import { RunTable } from "./run_table.svelte";

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
afterEach(() => void vi.unstubAllGlobals());

const info = (id: string) => ({
  id,
  name: id.split(":")[1],
  source: id.split(":")[0],
  type: "number",
  count: 3,
  distinct: 2,
});
const LIST = {
  version: 1,
  runs: 3,
  columns: [info("run:name"), info("param:lr")],
  merged_into: {},
  inherits_params_from: {},
  problems: [],
};

function tableOf(...names: readonly string[]) {
  const given = runsNamed(...names);
  return { ...given, table: new RunTable(given.session, given.url, given.runs) };
}

test("rows are requested once the columns are known, in the order of the address", async () => {
  const requests = serve({ "api/table/columns": LIST });
  const { table, params } = tableOf("a");
  table.loadRows();
  expect(requests).toEqual([]);
  table.loadColumns();
  await settle();
  params.set("tableSort", "-param:lr,param:gone");
  table.loadRows();
  expect(requests.at(-1)).toMatchObject({ address: "api/table", body: { sort: ["-param:lr"], archived: "hide" } });
});

test("without an order in the address the best run is first, if the objective is known and shown", async () => {
  const loss = { ...info("metric:val/loss"), source: "metric", name: "val/loss", goal: "min" };
  const choice = (goal: string) => ({
    objective: { id: "metric:val/loss:min", goal, part: "" },
    candidates: [],
    ranked: ["val/loss"],
  });
  const open = async (goal: string) => {
    const responses = {
      "api/table/columns": { ...LIST, columns: [...LIST.columns, loss] },
      "api/objective": choice(goal),
    };
    const requests = serve(responses);
    const { table, params } = tableOf("a");
    table.loadColumns();
    await settle();
    const ordered = () => {
      table.loadRows();
      return (requests.at(-1)!.body as { sort: string[] }).sort;
    };
    return { ordered, params };
  };
  const { ordered, params } = await open("min");
  expect(ordered()).toEqual(["metric:val/loss:min"]);
  params.set("tableSort", "param:lr");
  expect(ordered()).toEqual(["param:lr"]);
  params.delete("tableSort");
  params.set("tableColumns", "param:lr");
  expect(ordered()).toEqual([]);
  expect((await open("max")).ordered()).toEqual(["-metric:val/loss:min"]);
  expect((await open("")).ordered()).toEqual(["metric:val/loss:min"]);
});

test("an error is shown, and loading again may help", async () => {
  const responses: Record<string, unknown> = {};
  serve(responses);
  const { table } = tableOf("a");
  table.loadColumns();
  await settle();
  expect([table.error, table.list]).toEqual(["no such column", null]);
  responses["api/table/columns"] = LIST;
  table.retry();
  await settle();
  expect([table.error, table.list?.columns.length]).toEqual(["", 2]);
});

test("another query, another grouping or a run that is gone ends its selection", () => {
  const { table, runs, params, setNames } = tableOf("a", "b", "c");
  table.select(["a", "b"], true);
  table.select(["b"], false);
  table.select(["c"], true);
  expect([...table.selected]).toEqual(["a", "c"]);
  setNames("a", "b");
  expect([...table.selected]).toEqual(["a"]);
  runs.query = "a";
  expect(table.selected.size).toBe(0);
  table.select(["b"], true);
  expect([...table.selected]).toEqual(["b"]);
  params.set("tableBaseline", "[1]");
  expect([...table.selected]).toEqual(["b"]);
  table.selectNone();
  expect(table.selected.size).toBe(0);
});

test("a row that is listed before its run is known stays selected", () => {
  const { table, session, setNames } = tableOf();
  session.isComplete = false;
  table.select(["a"], true);
  table.forgetGone();
  expect([...table.selected]).toEqual(["a"]);
  setNames("b");
  session.isComplete = true;
  expect(table.selected.size).toBe(0);
});

test("groups are requested with what they are measured by", async () => {
  const groups = { by: ["param:lr"], groups: [{ key: [1], runs: ["a"], metrics: {} }], problems: [] };
  const requests = serve({ "api/table/columns": LIST, "api/groups": groups });
  const { table } = tableOf("a");
  table.loadColumns();
  await settle();
  table.setGroup(["param:lr"]);
  table.loadGroups();
  await settle();
  expect(requests.at(-1)).toMatchObject({ address: "api/groups", body: { by: ["param:lr"], metrics: [] } });
  expect(table.groups?.groups).toHaveLength(1);
  table.select(["[1]", "[2]"], true);
  expect([...table.selected]).toEqual(["[1]"]);
});
