/** Where the pictures of a grid lie. Runs go across and steps down; the steps of a single run go line by line. */

const MARGIN_PX = 72;
const EDGE_PX = 12;
const CAPTION_PX = 16;

export interface Grid {
  readonly isWrapped: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly count: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Room for the steps on the left. */
  readonly margin: number;
  readonly width: number;
  readonly height: number;
  leftOf(column: number): number;
  topOf(row: number): number;
}

export function gridOf({
  steps,
  runs,
  width,
  size,
  aspect = 1,
}: {
  steps: number;
  runs: number;
  width: number;
  size: number;
  aspect?: number;
}): Grid {
  const isWrapped = runs === 1;
  const margin = isWrapped ? EDGE_PX : MARGIN_PX;
  const columns = isWrapped ? Math.max(1, Math.floor((width - 2 * EDGE_PX) / size)) : runs;
  const rows = isWrapped ? Math.ceil(steps / columns) : steps;
  const tall = Math.round(Math.min(2 * size, Math.max(size / 4, size / aspect)));
  const cellHeight = isWrapped ? tall + CAPTION_PX : tall;
  return {
    isWrapped,
    columns,
    rows,
    margin,
    cellHeight,
    count: isWrapped ? steps : steps * runs,
    cellWidth: size,
    width: margin + columns * size + EDGE_PX,
    height: rows * cellHeight + EDGE_PX,
    leftOf: (column) => margin + column * size,
    topOf: (row) => row * cellHeight,
  };
}

export interface Cell {
  readonly run: number;
  /** Its place among the steps. */
  readonly step: number;
  readonly row: number;
  readonly left: number;
  readonly top: number;
}

export function cellsWithin(
  grid: Grid,
  seen: { readonly top: number; readonly left: number; readonly bottom: number; readonly right: number },
): Cell[] {
  const cells: Cell[] = [];
  const firstRow = Math.max(0, Math.floor(seen.top / grid.cellHeight));
  const endRow = Math.min(grid.rows, Math.ceil(seen.bottom / grid.cellHeight));
  const firstColumn = Math.max(0, Math.floor((seen.left - grid.margin) / grid.cellWidth));
  const endColumn = Math.min(grid.columns, Math.ceil((seen.right - grid.margin) / grid.cellWidth));
  for (let row = firstRow; row < endRow; row += 1) {
    for (let column = firstColumn; column < endColumn; column += 1) {
      const step = grid.isWrapped ? row * grid.columns + column : row;
      if (grid.isWrapped && step >= grid.count) break;
      cells.push({ run: grid.isWrapped ? 0 : column, step, row, left: grid.leftOf(column), top: grid.topOf(row) });
    }
  }
  return cells;
}
