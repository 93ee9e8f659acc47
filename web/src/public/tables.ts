/** Tables: the grid, the server's table of runs, and what is computed from it. */

export * from "./groups/runs_table";
export * from "./groups/column_ids";
export * from "./groups/cell_text";
export * from "./groups/column_queries";
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
} from "../data/table";
/** A window of trials, and the columns of all of them. */
export type { TrialColumns, TrialsRequest, TrialValues } from "../data/trials";
/** Which trials, and what has to hold in one of their columns. */
export type { Condition, TrialSelection } from "../data/table";
/** Rows of the server that are loaded as they become visible: the source of a `DataGrid`. */
export { TableSource } from "../data/table_source.svelte";
/** A statistic of a metric, such as `min`. */
export type { Stat } from "../data/column_id";
/** A table of any number of rows and columns: sorts, resizes, reorders, and draws only what is visible. */
export { default as DataGrid } from "../ui/grid/DataGrid.svelte";
/** Rows that the page has itself, in an order: the source of a `DataGrid`. */
export { LocalSource } from "../ui/grid/local";
/** What a `DataGrid` shows: its columns, rows, the style of a row and the order. */
export type { GridColumn, GridSource, RowLook, SortTerm } from "../ui/grid/grid";
/** Which rows of a long list are on the screen. */
export { RowWindow } from "../ui/grid/row_window.svelte";
/** The body of a long list; draws only the rows of a `RowWindow`. */
export { default as VirtualRows } from "../ui/grid/VirtualRows.svelte";
/** A field for a query over runs, with completion. */
export { default as QueryBox } from "../ui/query/QueryBox.svelte";
