import { differs, isSeed, settings, varies } from "../../data/column_choice";
import { fetchColumns, fetchImportance, fetchObjective, fetchTable, QueryError } from "../../data/table";
import { fetchTrialColumns, fetchTrials } from "../../data/trials";
import { moved } from "../../ui/grid/grid";
import { readSort, writeSort } from "../../ui/grid/sort";

/**
 * The server's table of runs: its columns and rows, its trials as rows and as columns, what runs were tuned for, which
 * parameters mattered, the error of a query; its order, parsed from the address and written to it, and a list of columns
 * with one moved; and which columns tell runs apart: those that differ, and of these the settings, without a seed.
 */
export const runsTable = {
  columns: fetchColumns,
  rows: fetchTable,
  trials: fetchTrials,
  trialColumns: fetchTrialColumns,
  objective: fetchObjective,
  importance: fetchImportance,
  QueryError,
  readOrder: readSort,
  writeOrder: writeSort,
  moved,
  differs,
  varies,
  isSeed,
  settings,
} as const;
