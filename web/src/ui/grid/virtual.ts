/** Which rows of a long list are drawn, and which elements draw them. */

const SPARE_ROWS = 8;
/** After a jump: the next one may follow at once, and rows that nobody saw would be drawn for nothing. */
const SPARE_AFTER_JUMP = 2;

export interface LongList {
  readonly count: number;
  readonly rowPx: number;
  readonly scrollTop: number;
  readonly height: number;
}

export interface VisibleRange {
  /** Drawn: the visible rows, and some to spare for scrolling. */
  readonly from: number;
  readonly to: number;
  /** Visible. */
  readonly first: number;
  readonly last: number;
}

export function visibleRange({ count, rowPx, scrollTop, height }: LongList, spare = SPARE_ROWS): VisibleRange {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowPx), count - 1));
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowPx));
  return { from: Math.max(0, first - spare), to: Math.min(count, last + spare), first, last: Math.max(last, first) };
}

/** What the last scroll left: how many rows are drawn to spare, and how far the elements have moved along the list. */
export interface Reuse {
  readonly spare: number;
  readonly shift: number;
}

export const NOTHING_MOVED: Reuse = { spare: SPARE_ROWS, shift: 0 };

/**
 * After a scroll to `list`, while `drawn` was drawn. Rows that stay keep their elements, and new ones take over those of rows that
 * left. When none stays, all elements keep their order and get other contents: to move them costs more than to fill them.
 */
export function reuseAfter(list: LongList, drawn: VisibleRange, { shift }: Reuse): Reuse {
  const { first, last } = visibleRange(list);
  const isJump = drawn.to > drawn.from && (last <= drawn.from || first >= drawn.to);
  if (!isJump) return { spare: SPARE_ROWS, shift };
  return { spare: SPARE_AFTER_JUMP, shift: shift + visibleRange(list, SPARE_AFTER_JUMP).from - drawn.from };
}

/** How many elements there are at most. */
export const poolSize = (height: number, rowPx: number): number => Math.ceil(height / rowPx) + 2 * SPARE_ROWS + 2;

/** The element that draws a row. */
export const slotOf = (index: number, shift: number, pool: number): number => (((index - shift) % pool) + pool) % pool;
