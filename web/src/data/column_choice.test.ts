import { expect, test } from "vitest";
import { settings } from "./column_choice";
import type { ColumnInfo } from "./table";
import { makeColumn } from "./testing";

const info = (name: string, rest: Partial<ColumnInfo> = {}) => makeColumn(`param:${name}`, { runs: 9, ...rest });

test("settings are what differs between runs, except for the seed", () => {
  const columns = [
    info("lr", { low: 0.1, high: 1 }),
    info("constant", { low: 1, high: 1 }),
    info("some", { runs: 4, low: 1, high: 1 }),
    info("train.seed", { low: 0, high: 2 }),
    info("optimizer", { type: "text", values: [{ value: "sgd", runs: 9 }] }),
    { ...info("loss", { low: 0, high: 1 }), source: "metric" as const },
  ];
  expect(settings(columns, 9).map(({ name }) => name)).toEqual(["lr", "some"]);
});
