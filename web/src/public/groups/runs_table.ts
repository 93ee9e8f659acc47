import { fetchColumns, fetchImportance, fetchObjective, fetchTable, QueryError } from "../../data/table";

/** The server's table of runs: its columns and rows, what runs were tuned for, which parameters mattered; and the error of a query. */
export const runsTable = {
  columns: fetchColumns,
  rows: fetchTable,
  objective: fetchObjective,
  importance: fetchImportance,
  QueryError,
} as const;
