import type { Run } from "./api";
import type { ColumnInfo, ColumnSource } from "./table";

export const makeRun = (name: string, more: Partial<Run> = {}): Run => ({
  name,
  path: `/logs/${name}`,
  first_wall: null,
  last_wall: null,
  files: 1,
  bytes: 0,
  series: 0,
  points: 0,
  payloads: 0,
  position: 0,
  ...more,
});

/** A column of numbers. */
export const makeColumn = (id: string, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  id,
  name: id.slice(id.indexOf(":") + 1),
  source: id.split(":")[0] as ColumnSource,
  type: "number",
  runs: 10,
  mixed: false,
  low: null,
  high: null,
  values: null,
  ...more,
});
