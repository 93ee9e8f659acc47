/** Where a key takes the grid's cursor. Row −1 is the header, column −1 the first, which does not scroll. */

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export function moveCursor(
  at: Cursor,
  key: string,
  bounds: { readonly rows: number; readonly columns: number; readonly page: number },
  withCtrl: boolean,
): Cursor | null {
  const { rows, columns, page } = bounds;
  const to = (row: number, column: number): Cursor => ({
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(-1, Math.min(column, columns - 1)),
  });
  switch (key) {
    case "ArrowDown":
      return to(at.row + 1, at.column);
    case "ArrowUp":
      return to(at.row - 1, at.column);
    case "ArrowRight":
      return to(at.row, at.column + 1);
    case "ArrowLeft":
      return to(at.row, at.column - 1);
    case "PageDown":
      return to(at.row + page, at.column);
    case "PageUp":
      return to(Math.max(0, at.row - page), at.column);
    case "Home":
      return to(withCtrl ? 0 : at.row, -1);
    case "End":
      return to(withCtrl ? rows - 1 : at.row, columns - 1);
    default:
      return null;
  }
}

/** How far to scroll so that [start, end) is inside a window of `size` pixels that begins at `scroll`. */
export function scrollInto(scroll: number, size: number, start: number, end: number): number {
  if (start < scroll) return start;
  return end > scroll + size ? Math.max(0, Math.min(start, end - size)) : scroll;
}
