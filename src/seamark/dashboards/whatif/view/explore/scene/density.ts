/** Very many points as cells: the mean colour of the points in a cell, the stronger the more there are. */

import { gpu, type Mark } from "$public/charts";
import type { Panel } from "./layout";

const CELL_PX = 4;
const MIN_ALPHA = 0.1;
const MAX_ALPHA = 0.95;

export function densityMark(
  { x, y }: { readonly x: Float32Array; readonly y: Float32Array },
  rows: Uint32Array,
  panel: Panel,
  pixels: Uint32Array,
): Mark {
  const columns = Math.ceil((panel.right - panel.left) / CELL_PX) + 1;
  const lines = Math.ceil((panel.bottom - panel.top) / CELL_PX) + 1;
  const counts = new Uint32Array(columns * lines);
  const sums = [0, 1, 2].map(() => new Float64Array(columns * lines)) as [Float64Array, Float64Array, Float64Array];
  for (const row of rows) {
    const column = Math.floor((x[row]! - panel.left) / CELL_PX);
    const line = Math.floor((y[row]! - panel.top) / CELL_PX);
    if (!(column >= 0 && column < columns && line >= 0 && line < lines)) continue;
    const cell = line * columns + column;
    const pixel = pixels[row]!;
    counts[cell]! += 1;
    sums[0][cell]! += pixel & 255;
    sums[1][cell]! += (pixel >>> 8) & 255;
    sums[2][cell]! += (pixel >>> 16) & 255;
  }
  const filled = Uint32Array.from(counts.keys()).filter((cell) => counts[cell]! > 0);
  const most = Math.log1p(filled.reduce((max, cell) => Math.max(max, counts[cell]!), 1));
  const left = Float32Array.from(filled, (cell) => panel.left + (cell % columns) * CELL_PX);
  const top = Float32Array.from(filled, (cell) => panel.top + Math.floor(cell / columns) * CELL_PX);
  const colour = Uint32Array.from(filled, (cell) => {
    const count = counts[cell]!;
    const alpha = MIN_ALPHA + (MAX_ALPHA - MIN_ALPHA) * (Math.log1p(count) / most);
    const channel = (at: 0 | 1 | 2): number => Math.round(sums[at][cell]! / count) << (8 * at);
    return (channel(0) | channel(1) | channel(2) | (Math.round(alpha * 255) << 24)) >>> 0;
  });
  return {
    type: "rects",
    x0: left,
    x1: left.map((value) => Math.min(value + CELL_PX, panel.right)),
    y0: top,
    y1: top.map((value) => Math.min(value + CELL_PX, panel.bottom)),
    colour,
    transform: gpu.PIXELS,
  };
}
