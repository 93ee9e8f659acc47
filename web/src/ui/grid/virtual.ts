/** Which rows of a long list are on screen. */

const SPARE_ROWS = 8;
/** After a jump: the next one may come at once, and rows that nobody saw would be drawn for nothing. */
const SPARE_AFTER_JUMP = 2;

export interface LongList {
  readonly count: number;
  readonly rowPx: number;
  readonly scrollTop: number;
  readonly height: number;
}

export interface VisibleRange {
  /** To be drawn, with some to spare for scrolling. */
  readonly from: number;
  readonly to: number;
  /** Really seen. */
  readonly first: number;
  readonly last: number;
}

export function visibleRange({ count, rowPx, scrollTop, height }: LongList, spare = SPARE_ROWS): VisibleRange {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowPx), count - 1));
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowPx));
  return { from: Math.max(0, first - spare), to: Math.min(count, last + spare), first, last: Math.max(last, first) };
}

export interface DrawnRows extends VisibleRange {
  /** Elements there are at most: scrolling reuses them. */
  readonly pool: number;
  readonly shift: number;
}

/**
 * What to draw, after `before` was drawn. Rows that stay keep their elements, and those that come take the place of those that went.
 * When none stays, all elements stay in their order with other contents: to move them costs more than to fill them.
 */
export function drawnRows(list: LongList, before?: DrawnRows): DrawnRows {
  const near = visibleRange(list);
  const isJump =
    before !== undefined && before.to > before.from && (near.last <= before.from || near.first >= before.to);
  const range = isJump ? visibleRange(list, SPARE_AFTER_JUMP) : near;
  const pool = Math.ceil(list.height / list.rowPx) + 2 * SPARE_ROWS + 2;
  return { ...range, pool, shift: (before?.shift ?? 0) + (isJump ? range.from - before.from : 0) };
}

/** The element that draws a row. */
export const slotOf = (index: number, { shift, pool }: DrawnRows): number => (((index - shift) % pool) + pool) % pool;
