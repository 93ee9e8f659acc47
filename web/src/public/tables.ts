/** Tables: the grid, the server's table of runs, and what is computed from it. */

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
import { moved } from "../ui/grid/grid";
import { readSort, writeSort } from "../ui/grid/sort";

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
/** What a cell holds, its type, and which end of a metric is the better one. */
export type { Cell, ColumnType, Goal } from "../data/table";
/** What the server sends: columns, rows, candidates for the objective, and the effects of parameters. */
export type {
  Candidate,
  ColumnInfo,
  ColumnList,
  Effect,
  Importance,
  ObjectiveChoice,
  TableColumn,
  TablePage,
} from "../data/table";
/** A query that the server could not parse, with the position of the mistake. */
export { QueryError } from "../data/table";
/** A statistic of a metric, such as `min`. */
export type { Stat } from "../data/column_id";
/** Chooses the columns by which runs are grouped. */
export { default as ColumnGroupPicker } from "../ui/grid/ColumnGroupPicker.svelte";
/** A table of any number of rows and columns: sorts, resizes, reorders, and draws only what is visible. */
export { default as DataGrid } from "../ui/grid/DataGrid.svelte";
/** Rows that the page has itself, in an order: the source of a `DataGrid`. */
export { LocalSource } from "../ui/grid/local";
/** What a `DataGrid` shows: its columns, rows, the style of a row and the order. */
export type { GridColumn, GridSource, RowLook, SortTerm } from "../ui/grid/grid";
/** A field for a query over runs, with completion. */
export { default as QueryBox } from "../ui/query/QueryBox.svelte";
