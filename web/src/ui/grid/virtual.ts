/** Which rows of a long list are on screen. */

const SPARE_ROWS = 8;

export interface VisibleRange {
  /** To be drawn, with some to spare for scrolling. */
  readonly from: number;
  readonly to: number;
  /** Really seen. */
  readonly first: number;
  readonly last: number;
}

export function visibleRange(list: { count: number; rowPx: number; scrollTop: number; height: number }): VisibleRange {
  const { count, rowPx, scrollTop, height } = list;
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowPx), count - 1));
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowPx));
  return { from: Math.max(0, first - SPARE_ROWS), to: Math.min(count, last + SPARE_ROWS), first, last: Math.max(last, first) };
}

/** How many rows are ever drawn at once: row i is drawn by element i modulo this, so that scrolling reuses elements. */
export const poolSize = (rowPx: number, height: number): number => Math.ceil(height / rowPx) + 2 * SPARE_ROWS + 2;
