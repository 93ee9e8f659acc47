/** Tables: the grid, the server's table of runs, and what is computed from it. */

export {
  type ColumnType,
  type Cell,
  type Goal,
  type ColumnInfo,
  type ColumnList,
  type TableColumn,
  type TablePage,
  type Candidate,
  type ObjectiveChoice,
  type Effect,
  type Importance,
  QueryError,
  fetchColumns,
  fetchTable,
  fetchObjective,
  fetchImportance,
} from "../data/table";
export {
  columnsOf,
  groupByColumns,
  infoOf,
  metricId,
  parseColumnId,
  STAT_WORDS,
  STATS,
  titleOf,
  type Stat,
} from "../data/column_id";
export { default as ColumnGroupPicker } from "../ui/grid/ColumnGroupPicker.svelte";
export { default as DataGrid } from "../ui/grid/DataGrid.svelte";
export { cellWords, formatNumber } from "../ui/grid/cell";
export {
  moved,
  readSort,
  writeSort,
  type GridColumn,
  type GridSource,
  type RowLook,
  type SortTerm,
} from "../ui/grid/grid";
export { default as QueryBox } from "../ui/query/QueryBox.svelte";
