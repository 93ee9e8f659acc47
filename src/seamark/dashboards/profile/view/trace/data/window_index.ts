/** A window of slices with an index by row: which slices are drawn, and which one is under the pointer. */

import type { Span } from "../../load";
import type { TraceWindow } from "../../wire";

export class WindowIndex {
  readonly #first = new Map<number, number>();
  readonly #end = new Map<number, number>();

  /** The slices are ordered by row and then by start. */
  constructor(
    readonly slices: TraceWindow,
    readonly span: Span,
  ) {
    const { row } = slices;
    for (let at = 0; at < row.length; at += 1) {
      const each = row[at]!;
      if (!this.#first.has(each)) this.#first.set(each, at);
      this.#end.set(each, at + 1);
    }
  }

  endOf(row: number): number {
    return this.#end.get(row) ?? 0;
  }

  /** The position of the first slice of a row that ends after `time`; its end if there is none. */
  firstAfter(row: number, time: number): number {
    const { start, duration } = this.slices;
    let [low, high] = [this.#first.get(row) ?? 0, this.endOf(row)];
    while (low < high) {
      const middle = (low + high) >> 1;
      // Slices of a row do not overlap: their ends are ordered as their starts.
      if (start[middle]! + duration[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position of the slice at a time; of those within `reachNs` the nearest. -1: none. */
  sliceAt(row: number, time: number, reachNs: number): number {
    const { start, duration } = this.slices;
    const end = this.endOf(row);
    let [best, least] = [-1, Infinity];
    for (let at = this.firstAfter(row, time - reachNs); at < end && start[at]! <= time + reachNs; at += 1) {
      const distance = Math.max(start[at]! - time, time - start[at]! - duration[at]!, 0);
      if (distance < least) [best, least] = [at, distance];
      if (distance === 0 && start[at]! + duration[at]! > time) return at;
    }
    return best;
  }

  /** Positions of the slices of these rows inside a span, by start; at most `limit`. */
  inSpan(rows: readonly number[], { start: from, end: to }: Span, limit: number): number[] {
    const { start } = this.slices;
    const found: number[] = [];
    for (const row of rows)
      for (let at = this.firstAfter(row, from); at < this.endOf(row) && start[at]! < to; at += 1) {
        found.push(at);
        if (found.length >= limit) return found;
      }
    return found.sort((a, b) => start[a]! - start[b]!);
  }
}
