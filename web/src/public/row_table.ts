/** Columns and rows of the table of a view, as a DataGrid takes them. */

import type { GridColumn } from "../ui/grid/grid";
import type { TableColumn, TableRow } from "./view_types";

export const NAME_ID = "name";
const WIDTH_PX = 120;

export const gridColumns = (columns: readonly TableColumn[], rows: readonly TableRow[]): GridColumn[] =>
  columns.map(({ type = "number", widthPx = WIDTH_PX, ...column }) => ({
    ...column,
    type,
    widthPx,
    isElastic: type === "text",
    // Counts have no decimals.
    isMeasured: type === "number" && rows.some(({ cells }) => isFraction(cells[column.id])),
  }));

const isFraction = (value: unknown): boolean => typeof value === "number" && !Number.isInteger(value);

/** The run of a row; undefined if it stands for something else. */
export const runOfRow = ({ key, run }: TableRow, known: ReadonlySet<string>): string | undefined =>
  run ?? (known.has(key) ? key : undefined);
