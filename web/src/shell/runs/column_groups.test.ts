import { expect, test } from "vitest";
import { columnsOf, groupByColumns } from "../../data/column_id";
import { groupLabel, groupsOf } from "./column_groups";

test("the address names columns, whatever they are called", () => {
  const ids = ["param:a,b", "metric:val/loss:min"];
  expect(columnsOf(groupByColumns(ids))).toEqual(ids);
  expect([columnsOf("folder"), columnsOf("regex:columns:x"), columnsOf(""), groupByColumns([])]).toEqual([
    [],
    [],
    [],
    "",
  ]);
});

test("runs with the same values are one group, and its name says which", () => {
  const page = {
    runs: ["a", "b", "c", "d"],
    columns: [
      { id: "param:optim.lr", type: "number" as const, values: [1e-3, 1e-3, 1e-4, null], low: 1e-4, high: 1e-3 },
      { id: "param:model", type: "text" as const, values: ["vit", "vit", "resnet", null], low: null, high: null },
    ],
  };
  expect(groupLabel(["param:a.lr", "param:b.lr"], ["1", "2"], [false, false])).toBe("a.lr 1 · b.lr 2");
  const { groups, places } = groupsOf(page, ["param:optim.lr", "param:model"]);
  expect([...groups.values()]).toEqual([
    "lr 0.001 · vit",
    "lr 0.001 · vit",
    "lr 1e−4 · resnet",
    "lr none · model none",
  ]);
  expect([...places]).toEqual([
    ["lr 0.001 · vit", 0],
    ["lr 1e−4 · resnet", 1],
    ["lr none · model none", 2],
  ]);
});
