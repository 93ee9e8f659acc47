/** Rows of a window: the columns that a request wants, and which points share a column of pixels. */

import type { NumberColumn } from "../../columns";
import type { WindowRequest } from "./window_request";

const FLOATS = ["step", "step_last", "wall", "wall_last", "first", "last", "min", "max", "mean"] as const;
const TALLY = ["min", "max", "mean", "nan", "posinf", "neginf"] as const;
const COUNTS = ["count", "nan", "posinf", "neginf"] as const;

export type Row = Record<
  (typeof FLOATS)[number] | (typeof COUNTS)[number] | "smoothed" | "attempt" | "replaced",
  number
>;

/** The wanted columns of rows; they are longer than what was written so far. */
export type RowColumns = { [Name in keyof Row]?: Float64Array };

const FIRST_CAPACITY = 1024;

/** Columns that grow. */
export class RowWriter {
  rows = 0;
  /** The earliest wall time of a row since it was reset. */
  earliest = NaN;
  /** Whether any wanted column says something about the values of several points. */
  readonly wantsTally: boolean;
  readonly wantsEarliest: boolean;
  readonly #columns: RowColumns = {};
  readonly #names: readonly (keyof Row)[];
  #capacity: number;

  /** `capacity` is how many rows there will be, about. */
  constructor(
    readonly request: WindowRequest,
    capacity = FIRST_CAPACITY,
  ) {
    this.#capacity = capacity;
    const { columns, smoothing, attempts } = request;
    const possible = [
      ...FLOATS,
      ...COUNTS,
      ...(smoothing.weight > 0 ? ["smoothed" as const] : []),
      ...(attempts === "latest" ? [] : ["attempt" as const]),
      ...(attempts === "marked" ? ["replaced" as const] : []),
    ];
    // Whether anything was replaced decides about two columns, so it is always recorded.
    this.#names = possible.filter((name) => columns === null || columns.includes(name) || name === "replaced");
    for (const name of this.#names) this.#columns[name] = new Float64Array(capacity);
    this.wantsTally = TALLY.some((name) => this.#names.includes(name));
    this.wantsEarliest = columns?.includes("began") ?? false;
  }

  /** Adds rows, which the caller fills from `at` on. */
  reserve(rows: number): { readonly columns: RowColumns; readonly at: number } {
    const at = this.rows;
    this.rows += rows;
    if (this.rows > this.#capacity) {
      this.#capacity = Math.max(this.rows, 2 * this.#capacity);
      for (const name of this.#names) {
        const grown = new Float64Array(this.#capacity);
        grown.set(this.#columns[name]!.subarray(0, at));
        this.#columns[name] = grown;
      }
    }
    return { columns: this.#columns, at };
  }

  sawWall(wall: number): void {
    if (!(this.earliest <= wall)) this.earliest = wall;
  }

  write(row: Row): void {
    const { columns, at } = this.reserve(1);
    for (const name of this.#names) columns[name]![at] = row[name];
    this.sawWall(row.wall);
  }

  columns(): Record<string, NumberColumn> {
    const found: Record<string, NumberColumn> = {};
    const hasReplaced = this.#columns.replaced?.subarray(0, this.rows).includes(1) ?? true;
    for (const name of this.#names) {
      if ((name === "attempt" || name === "replaced") && !hasReplaced) continue;
      if (name === "replaced" && !(this.request.columns?.includes(name) ?? true)) continue;
      const isFloat = name === "smoothed" || (FLOATS as readonly string[]).includes(name);
      const values = this.#columns[name]!.subarray(0, this.rows);
      found[name] = isFloat ? values : new Uint32Array(values);
    }
    return found;
  }
}

export interface PixelWindow {
  readonly start: number;
  readonly stop: number;
  readonly width: number;
}

/** The rows of a line: row i has the points from ends[i] up to ends[i + 1]. */
interface LineRows {
  readonly ends: Int32Array;
  /** In the window, without the edges. */
  readonly points: number;
}

/** Which points of a line are a row. Runs of a sweep have the same steps, so the last result serves the next line. */
export class RowBounds {
  #x: Float64Array | undefined;
  #rows: LineRows = { ends: new Int32Array(1), points: 0 };

  constructor(
    private readonly window: PixelWindow,
    /** With the points beyond the window that a line enters from and leaves to. */
    private readonly hasEdges: boolean,
  ) {}

  of(x: Float64Array): LineRows {
    if (x !== this.#x) this.#rows = this.#find(x);
    this.#x = x;
    return this.#rows;
  }

  #find(x: Float64Array): LineRows {
    const { start, stop, width } = this.window;
    const begin = firstRow(x, 0, (value) => value >= start);
    const end = firstRow(x, begin, (value) => value > stop);
    const first = this.hasEdges && begin > 0 ? begin - 1 : begin;
    const ends: number[] = first < begin ? [first, begin] : [begin];
    if (width === 0 || end - begin <= width) for (let row = begin; row < end; row += 1) ends.push(row + 1);
    else forEachPixel(x, begin, end, this.window, (_, to) => ends.push(to));
    if (this.hasEdges && end < x.length) ends.push(end + 1);
    return { ends: Int32Array.from(ends), points: end - begin };
  }
}

/** Calls `emit` with the rows of each column of pixels that has any. */
export function forEachPixel(
  x: Float64Array,
  begin: number,
  end: number,
  { start, stop, width }: PixelWindow,
  emit: (from: number, to: number) => void,
): void {
  const ratio = width / (stop - start);
  const scale = Number.isFinite(ratio) ? ratio : 0; // a window of no width is one column
  const positionOf = (value: number): number => (value - start) * scale;
  let position = 0;
  for (let row = begin; row < end;) {
    position = Math.max(Math.floor(positionOf(x[row]!)) + 1, position + 1);
    // The last column is closed: it holds points at `stop`.
    if (position > width - 1) position = Infinity;
    const next = position === Infinity ? end : gallop(x, row + 1, end, (value) => positionOf(value) >= position);
    emit(row, next);
    row = next;
  }
}

/** The first row from `from` on for which `isPast` holds; it is false, then true. */
export function firstRow(x: Float64Array, from: number, isPast: (x: number) => boolean): number {
  return search(x, from, x.length, isPast);
}

/** As firstRow, fast if that row is near. */
function gallop(x: Float64Array, from: number, end: number, isPast: (x: number) => boolean): number {
  let stride = 1;
  let low = from;
  while (low < end && !isPast(x[Math.min(low + stride, end) - 1]!)) {
    low = Math.min(low + stride, end);
    stride *= 2;
  }
  return search(x, low, Math.min(low + stride, end), isPast);
}

function search(x: Float64Array, from: number, to: number, isPast: (x: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(x[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
