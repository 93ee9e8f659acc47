/** Functions on tables, in groups. A file of its own: tables.ts only re-exports, so that the bundler can leave parts out. */

import {
  columnsOf,
  groupByColumns,
  infoOf,
  metricId,
  parseColumnId,
  STAT_WORDS,
  STATS,
  titleOf,
} from "../data/column_id";
import { fetchColumns, fetchImportance, fetchObjective, fetchTable } from "../data/table";
import { cellWords, formatNumber } from "../ui/grid/cell";
import { moved, readSort, writeSort } from "../ui/grid/grid";

/** The server's table of runs: its columns and rows, what runs were tuned for, and which parameters mattered. */
export const runsTable = {
  columns: fetchColumns,
  rows: fetchTable,
  objective: fetchObjective,
  importance: fetchImportance,
} as const;
/** Ids of columns such as `metric:val/loss:min`: made, parsed, named, looked up, and as a value of `groupBy`. */
export const columnIds = {
  metric: metricId,
  parse: parseColumnId,
  title: titleOf,
  info: infoOf,
  stats: STATS,
  statWords: STAT_WORDS,
  fromGroupBy: columnsOf,
  toGroupBy: groupByColumns,
} as const;
/** Cells and numbers as text. */
export const cellText = { of: cellWords, number: formatNumber } as const;
/** The order of rows and columns: parsed from the address, written to it, and a list with one entry moved. */
export const tableOrder = { read: readSort, write: writeSort, moved } as const;
