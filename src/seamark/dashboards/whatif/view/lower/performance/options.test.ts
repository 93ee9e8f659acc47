import { expect, it } from "vitest";
import type { ColumnEntry, InfoResponse } from "../../wire";
import { ratioText, RATIOS, sliceColumns } from "./options";

it("says which mistake costs more", () => {
  expect(RATIOS.map(ratioText)).toEqual([
    ...["10 : 1", "5 : 1", "4 : 1", "3 : 1", "2 : 1", "1 : 1"],
    ...["1 : 2", "1 : 3", "1 : 4", "1 : 5", "1 : 10"],
  ]);
});

it("slices by names, truth and numbers, not by ids, texts and predictions", () => {
  const column = (name: string, type: ColumnEntry["type"], role: ColumnEntry["role"]): ColumnEntry =>
    ({ name, type, role, names: [] }) as unknown as ColumnEntry;
  const columns = [
    column("sex", "category", "feature"),
    column("age", "number", "feature"),
    column("label", "boolean", "truth"),
    column("id", "number", "id"),
    column("comment", "text", "feature"),
    column("score", "number", "prediction"),
  ];
  expect(sliceColumns({ columns } as unknown as InfoResponse)).toEqual(["sex", "age", "label"]);
  expect(sliceColumns(null)).toEqual([]);
});
