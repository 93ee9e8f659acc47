/** The page's half of a card: knows what is wanted and what the painter already has, and sends the difference. */

import type { NumberColumn } from "../../data/columns";
import { nearestSeries, type Nearest, type Projection } from "../pick";
import { modeFor, drawsUnderlay, shownOf, type Columns, type Style, type View } from "../paint/scene";
import type { Change } from "../paint/painter";
import { project, invert } from "../scale";
import type { SeriesSet } from "../series";

export interface Card {
  setData(set: SeriesSet): void;
  setStyle(style: Style): void;
  setView(view: View): void;
  /** The series that passes nearest to a pixel of the plot. */
  nearest(px: number, py: number): Nearest | null;
  dispose(): void;
}

/** Drawn in about a millisecond: a few lines as wide as a card. */
const SMALL_ROWS = 2_500;

type ColumnName = "offsets" | "x" | "curve" | "raw" | "low" | "high" | "marks";

export class CardState {
  visible = true;
  #set: SeriesSet | undefined;
  #style: Style | undefined;
  #shown: readonly number[] = [];
  #view: View | undefined;
  readonly #had = new Map<ColumnName, NumberColumn | null>();
  #styleHad: Style | undefined;
  #viewHad: View | undefined;

  /** There is something to draw, somewhere to draw it, and it is known how. */
  get isReady(): boolean {
    return this.#set !== undefined && this.#style !== undefined && this.#view !== undefined;
  }

  /** Not worth the way to a worker and back. */
  get isSmall(): boolean {
    return !this.#set || rowsOf(this.#set, this.#shown) <= SMALL_ROWS;
  }

  /** Each says whether it changes the picture. */
  setData(set: SeriesSet): boolean {
    const changed = set !== this.#set;
    this.#set = set;
    return changed;
  }

  setStyle(style: Style): boolean {
    if (this.#style && sameStyle(this.#style, style)) return false;
    this.#style = style;
    this.#shown = shownOf(style.flags);
    return true;
  }

  setView(view: View): boolean {
    if (this.#view && JSON.stringify(this.#view) === JSON.stringify(view)) return false;
    this.#view = view;
    return true;
  }

  /** What the painter does not have yet. For a worker columns are copied and handed over: the page reads values from its own. */
  takeChange({ copies }: { readonly copies: boolean }): { change: Change; transfer: Transferable[] } {
    const columns: Record<string, unknown> = {};
    const transfer: Transferable[] = [];
    for (const [name, column] of Object.entries(this.#wanted()) as [ColumnName, NumberColumn | null][]) {
      if (this.#had.has(name) && this.#had.get(name) === column) continue;
      this.#had.set(name, column);
      const sent = copies && column ? column.slice() : column;
      columns[name] = sent;
      if (copies && sent) transfer.push(sent.buffer as ArrayBuffer);
    }
    if (Object.keys(columns).length > 0)
      Object.assign(columns, { sharedX: this.#set?.sharedX ?? false, sorted: this.#set?.sorted ?? true });
    const change: Change = {
      ...(Object.keys(columns).length > 0 ? { columns: columns as Partial<Columns> } : {}),
      ...(this.#style && this.#style !== this.#styleHad ? { style: this.#style } : {}),
      ...(this.#view && this.#view !== this.#viewHad ? { view: this.#view } : {}),
    };
    this.#styleHad = this.#style;
    this.#viewHad = this.#view;
    return { change, transfer };
  }

  #wanted(): Partial<Record<ColumnName, NumberColumn | null>> {
    const set = this.#set;
    if (!set) return {};
    const faint = this.#style !== undefined && drawsUnderlay(this.#style, modeOf(set, this.#style));
    return {
      offsets: set.offsets,
      x: set.x,
      curve: set.curve,
      marks: set.marks,
      raw: faint && set.raw !== set.curve ? set.raw : null,
      low: faint ? set.low : null,
      high: faint ? set.high : null,
    };
  }

  nearest(px: number, py: number): Nearest | null {
    if (!this.#set || !this.#style || !this.#view) return null;
    return nearestSeries(this.#set, this.#shown, projectionOf(this.#view), px, py);
  }
}

export function modeOf(set: SeriesSet, style: Style): "lines" | "raster" | "density" {
  const shown = shownOf(style.flags);
  return modeFor(style.mode, shown.length, rowsOf(set, shown));
}

/** A style may come a moment later than the data that it belongs to: what it shows need not be there any more. */
const rowsOf = ({ offsets }: SeriesSet, shown: readonly number[]): number =>
  shown.reduce((rows, index) => rows + Math.max(0, (offsets[index + 1] ?? 0) - (offsets[index] ?? 0)), 0);

function projectionOf({ x0, x1, y0, y1, xScale, yScale, w, h }: View): Projection {
  const left = project(xScale, x0);
  const perX = (project(xScale, x1) - left) / w;
  const top = project(yScale, y1);
  const perY = (top - project(yScale, y0)) / h;
  return {
    toX: (value) => (project(xScale, value) - left) / perX,
    toY: (value) => (top - project(yScale, value)) / perY,
    fromX: (pixel) => invert(xScale, left + pixel * perX),
  };
}

/** Styles are made anew whenever anything about runs changes, and mostly come out the same. */
export function sameStyle(a: Style, b: Style): boolean {
  const { colours, flags, ...rest } = a;
  const { colours: otherColours, flags: otherFlags, ...otherRest } = b;
  return (
    sameItems(colours, otherColours) &&
    sameItems(flags, otherFlags) &&
    JSON.stringify(rest) === JSON.stringify(otherRest)
  );
}

function sameItems(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}
