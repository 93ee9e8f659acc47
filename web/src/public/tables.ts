/** Tables for dashboards: the grid, the server's table of runs, and what is worked out from it. */

export * from "../data/table";
export {
  columnsOf,
  goalOf,
  groupByColumns,
  infoOf,
  metricId,
  parseColumnId,
  STAT_WORDS,
  STATS,
  titleOf,
  typeOf,
  type ColumnId,
  type Stat,
} from "../data/column_id";
export { TableSource, type TableQuestion } from "../data/table_source.svelte";
export { default as ColumnGroupPicker } from "../ui/grid/ColumnGroupPicker.svelte";
export { default as ColumnPicker } from "../ui/grid/ColumnPicker.svelte";
export { default as DataGrid } from "../ui/grid/DataGrid.svelte";
export { cellWords, formatNumber, toneOf } from "../ui/grid/cell";
export {
  moved,
  nextSort,
  readSort,
  shareOf,
  writeSort,
  type CellPlace,
  type GridColumn,
  type GridSource,
  type Place,
  type RowLook,
  type SortTerm,
} from "../ui/grid/grid";
export { default as QueryBox } from "../ui/query/QueryBox.svelte";
export { charactersOf, kindOf, namePattern, type QueryKind } from "../ui/query/query";
export { LocalSource, sortRows, type LocalRow } from "../ui/grid/local";
