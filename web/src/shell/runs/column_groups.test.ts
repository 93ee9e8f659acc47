import { expect, test } from "vitest";
import { columnsOf, groupByColumns } from "../../data/column_id";
import { groupsOf } from "./column_groups";

test("the address names columns, whatever they are called", () => {
  const ids = ["param:a,b", "metric:val/loss:min"];
  expect(columnsOf(groupByColumns(ids))).toEqual(ids);
  expect([columnsOf("folder"), columnsOf("regex:columns:x"), columnsOf(""), groupByColumns([])]).toEqual([[], [], [], ""]);
});

test("runs with the same values are one group, and its name says which", () => {
  const page = {
    runs: ["a", "b", "c", "d"],
    columns: [
      { id: "param:optim.lr", type: "number" as const, values: [1e-3, 1e-3, 1e-4, null], low: 1e-4, high: 1e-3 },
      { id: "param:model", type: "text" as const, values: ["vit", "vit", "resnet", null], low: null, high: null }],
  };
  const { groups, places } = groupsOf(page, ["param:optim.lr", "param:model"]);
  expect([...groups.values()]).toEqual(["optim.lr 0.001 · vit", "optim.lr 0.001 · vit", "optim.lr 1e−4 · resnet", "optim.lr none · model none"]);
  expect([...places]).toEqual([["optim.lr 0.001 · vit", 0], ["optim.lr 1e−4 · resnet", 1], ["optim.lr none · model none", 2]]);
});
