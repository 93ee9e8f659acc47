/** What the server sent: the trials, and a value of each in every column that is drawn. */

import type { TrialColumns } from "$public/tables";
import { columnOf, type TrialColumn } from "../columns/columns";

/** A run, or the runs that differ in their seed alone. */
export interface Trial {
  readonly key: string;
  readonly runs: readonly string[];
}

export interface Trials {
  readonly rows: readonly Trial[];
  readonly columns: ReadonlyMap<string, TrialColumn>;
}

export const NO_TRIALS: Trials = { rows: [], columns: new Map() };

export const trialsOf = ({ runs, columns }: TrialColumns): Trials => ({
  rows: runs.map((own) => ({ key: own[0]!, runs: own })),
  columns: new Map(columns.map((values) => [values.id, columnOf(values)])),
});
