/** What a grid consists of: columns with widths, and rows from a source. */

import type { Snippet } from "svelte";
import type { Cell, ColumnType, Goal } from "../../data/table";
import type { SortTerm } from "./sort";

export type { SortTerm };

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  /** What hovering over the header says. */
  readonly hint?: string;
  readonly type: ColumnType;
  readonly widthPx: number;
  /** Gets its share of the width that no column needs. */
  readonly isElastic?: boolean;
  /** How much a cell's value shows at a glance: a bar, a tint, or nothing. */
  readonly look?: "plain" | "bar" | "colour";
  /** Measured values have the same number of decimals; those that somebody chose have as many as they need. */
  readonly isMeasured?: boolean;
  /** Which end of a coloured column is the better one. */
  readonly goal?: Goal;
  /** false where the source cannot order by it. */
  readonly sortable?: boolean;
  /** The first click puts the largest values on top. */
  readonly isDescendingFirst?: boolean;
}

/** Where rows come from. Reading is reactive: what is not loaded yet is undefined. */
export interface GridSource {
  readonly total: number;
  /** Other rows are being loaded. */
  readonly isLoading?: boolean;
  /** Identifies a row in the selection: the name of a run. */
  keyOf(index: number): string | undefined;
  cell(index: number, column: string): Cell | undefined;
  /** The range of a column's finite values over all rows, for bars and tints. */
  extentOf(column: string): readonly [number, number] | null;
  /** Called when these become visible; a source that has everything does nothing. */
  load(rows: { readonly from: number; readonly to: number }, columns: readonly string[]): void;
  /** The keys of rows that may not have been loaded, to select a range. */
  keysOf(from: number, to: number): Promise<readonly string[]>;
}

/** How a row is marked, beside being selected. */
export interface RowLook {
  /** A dot before its name; hollow when what it stands for is not shown. */
  readonly colour?: string;
  readonly dashed?: boolean;
  readonly hollow?: boolean;
  readonly quiet?: boolean;
  readonly focused?: boolean;
}

/** A cell that the owner of the grid draws. */
export interface GridCell {
  readonly index: number;
  readonly key: string;
  readonly column: GridColumn;
  readonly value: Cell | undefined;
}

/** In pixels of the window, for menus. */
export interface Position {
  readonly x: number;
  readonly y: number;
}

export interface GridProps {
  source: GridSource;
  /** Stays in sight while the others scroll. */
  first: GridColumn;
  columns: readonly GridColumn[];
  label: string;
  sort: readonly SortTerm[];
  onsort: (sort: readonly SortTerm[]) => void;
  /** The keys of the selected rows; left out, rows cannot be selected. */
  selected?: ReadonlySet<string>;
  onselect?: (keys: readonly string[], isSelected: boolean) => void;
  /** After a border was dragged; left out, columns cannot be resized. */
  onresize?: (id: string, widthPx: number) => void;
  /** Moves the column at `from` in front of the one at `to`; left out, columns cannot be moved. */
  onmove?: (from: number, to: number) => void;
  lookOf?: (key: string) => RowLook;
  ondot?: (key: string) => void;
  /** A click on a row, or Space where rows cannot be selected. */
  onpick?: (key: string) => void;
  /** A double click or Enter on a cell. */
  onopen?: (key: string, column: string, at: Position) => void;
  onmenu?: (key: string, at: Position) => void;
  onheadmenu?: (column: string, at: Position) => void;
  /** Draws the cells of the columns in `custom`. */
  cell?: Snippet<[GridCell]>;
  custom?: ReadonlySet<string>;
  /** Instead of rows, when there are none. */
  empty?: Snippet;
}

/** The columns with what is left of `roomPx` shared among those that are elastic. */
export function stretched(columns: readonly GridColumn[], roomPx: number): readonly GridColumn[] {
  const spare = columns.reduce((left, { widthPx }) => left - widthPx, roomPx);
  const share = spare / columns.filter(({ isElastic }) => isElastic).length;
  if (!(spare > 0 && Number.isFinite(share))) return columns;
  return columns.map((column) =>
    column.isElastic ? { ...column, widthPx: Math.floor(column.widthPx + share) } : column,
  );
}

/** Left edges of all columns, and behind the last one the whole width. */
export function edgesOf(columns: readonly GridColumn[]): Float64Array {
  const edges = new Float64Array(columns.length + 1);
  columns.forEach(({ widthPx }, index) => (edges[index + 1] = edges[index]! + widthPx));
  return edges;
}

const SPARE_COLUMNS = 2;

/** The columns between two pixels, and some to spare for scrolling. */
export function columnsBetween(edges: Float64Array, left: number, right: number): { from: number; to: number } {
  const count = edges.length - 1;
  let from = 0;
  while (from < count && edges[from + 1]! <= left) from += 1;
  let to = from;
  while (to < count && edges[to]! < right) to += 1;
  return { from: Math.max(0, from - SPARE_COLUMNS), to: Math.min(count, to + SPARE_COLUMNS) };
}

/** The largest number of columns drawn at once: element i modulo this draws column i, so that scrolling reuses elements. */
export const columnPool = (widthPx: number): number => Math.ceil(widthPx / MIN_WIDTH_PX) + 2 * SPARE_COLUMNS + 2;

export const MIN_WIDTH_PX = 48;
export const MAX_WIDTH_PX = 800;
export const clampWidth = (widthPx: number): number =>
  Math.round(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, widthPx)));

/** A list with an item moved in front of the one at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [item] = next.splice(from, 1);
  if (item === undefined) return [...list];
  next.splice(Math.max(0, Math.min(to > from ? to - 1 : to, next.length)), 0, item);
  return next;
}

/** Values that span more than this factor are compared by their size, as learning rates are. */
const LOG_FACTOR = 50;

/** How far along its column's range a value lies, 0 to 1; null where that means nothing. */
export function shareOf(value: Cell | undefined, extent: readonly [number, number] | null): number | null {
  if (typeof value !== "number" || !Number.isFinite(value) || !extent) return null;
  const [low, high] = extent;
  if (!(high > low)) return null;
  const share =
    low > 0 && high / low > LOG_FACTOR ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, share));
}

/** A bar starts at zero where the values do: half the value is half the bar. */
export function barOf(value: Cell | undefined, extent: readonly [number, number] | null): number | null {
  if (typeof value !== "number" || !extent) return null;
  const [low, high] = extent;
  return shareOf(value, low >= 0 && high > 0 && !(low > 0 && high / low > LOG_FACTOR) ? [0, high] : extent);
}

const isNumeric = (type: ColumnType): boolean => type === "number" || type === "time" || type === "duration";
export const alignsRight = ({ type }: GridColumn): boolean => isNumeric(type);
