/** What a grid is made of: columns with widths, rows that come from a source, an order by several columns. */

import type { Cell, ColumnType, Goal } from "../../data/table";

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  /** What hovering over the header says. */
  readonly hint?: string;
  readonly type: ColumnType;
  readonly widthPx: number;
  /** How much a cell's value shows at a glance: a bar, a tint, or nothing. */
  readonly look?: "plain" | "bar" | "colour";
  /** Values as measured, all with the same number of decimals, and not as somebody chose them. */
  readonly isMeasured?: boolean;
  /** Which end of a coloured column is the better one. */
  readonly goal?: Goal;
  /** false where the source cannot order by it. */
  readonly sortable?: boolean;
}

/** Where rows come from. Reading is reactive: what has not come yet is undefined and comes later. */
export interface GridSource {
  readonly total: number;
  /** Other rows are on their way. */
  readonly isAsking?: boolean;
  /** What a row is called, for selecting it: a run's name. */
  keyOf(index: number): string | undefined;
  cell(index: number, column: string): Cell | undefined;
  /** The range of a column's finite values over all rows, for bars and tints. */
  extentOf(column: string): readonly [number, number] | null;
  /** Called when these come on screen; a source that has everything does nothing. */
  want(rows: { readonly from: number; readonly to: number }, columns: readonly string[]): void;
  /** The keys of rows that need not have been on screen, for selecting a range. */
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

/** What a cell drawn by the owner of the grid is told. */
export interface CellPlace {
  readonly index: number;
  readonly key: string;
  readonly column: GridColumn;
  readonly value: Cell | undefined;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface SortTerm {
  readonly id: string;
  readonly descending: boolean;
}

/** A click sorts by one column: up, down, not at all. With Shift it joins those there are, or changes its own part. */
export function nextSort(sort: readonly SortTerm[], id: string, joins: boolean): readonly SortTerm[] {
  const term = sort.find((each) => each.id === id);
  const next = !term ? { id, descending: false } : term.descending ? null : { id, descending: true };
  if (!joins) return next ? [next] : [];
  if (!term) return [...sort, next!];
  return sort.flatMap((each) => (each.id !== id ? [each] : next ? [next] : []));
}

export const writeSort = (sort: readonly SortTerm[]): string[] =>
  sort.map(({ id, descending }) => (descending ? `-${id}` : id));
export const readSort = (terms: readonly string[]): SortTerm[] =>
  terms
    .filter((term) => term !== "" && term !== "-")
    .map((term) => (term.startsWith("-") ? { id: term.slice(1), descending: true } : { id: term, descending: false }));

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

/** How many columns are ever drawn at once: column i is drawn by element i modulo this, so that scrolling reuses elements. */
export const columnPool = (widthPx: number): number => Math.ceil(widthPx / MIN_WIDTH_PX) + 2 * SPARE_COLUMNS + 2;

export const MIN_WIDTH_PX = 48;
export const MAX_WIDTH_PX = 800;
export const clampWidth = (widthPx: number): number =>
  Math.round(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, widthPx)));

/** One list with an item moved in front of what stood at `to`. */
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
