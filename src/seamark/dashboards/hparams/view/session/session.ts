/** Everything the table knows about one run, read when somebody opens it. */

import { columnIds, runsTable, type Cell, type ColumnType } from "$public/tables";

export interface Fact {
  readonly id: string;
  readonly type: ColumnType;
  readonly value: Cell;
}

export interface Session {
  readonly facts: readonly Fact[];
  readonly params: readonly Fact[];
  readonly metrics: readonly Fact[];
}

const FACTS = new Set([
  "run:status",
  "run:started",
  "run:duration",
  "run:last_step",
  "run:group",
  "run:host",
  "run:commit",
  "run:tags",
  "run:notes",
]);

/** `ids` are the columns there are; what this run has not is left out. */
export async function sessionOf(run: string, ids: readonly string[]): Promise<Session> {
  const wanted = ids.filter((id) => FACTS.has(id) || !id.startsWith("run:"));
  const { columns } = await runsTable.rows({ columns: wanted, runs: [run], archived: "show" });
  const found = columns
    .map(({ id, type, values }): Fact => ({ id, type, value: values[0] ?? null }))
    .filter(({ value }) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0));
  const of = (...sources: string[]): Fact[] => found.filter(({ id }) => sources.includes(columnIds.parse(id).source));
  return { facts: of("run"), params: of("param"), metrics: of("metric", "summary") };
}
