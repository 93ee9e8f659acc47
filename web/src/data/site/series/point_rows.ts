/** Rows of a window from every point of a line, as the server makes them (core/query/downsample.cc). */

import type { RowBounds, RowColumns, RowWriter } from "./rows";
import type { Line } from "./series_lines";
import { writeSmoothed } from "./smoothed";
import { tally } from "./tally";

/** Returns the number of points in the window. Column by column: a chart of a thousand runs has half a million rows. */
export function writePoints(line: Line, bounds: RowBounds, weight: number, out: RowWriter): number {
  const { ends, points } = bounds.of(line.x);
  const { columns, at } = out.reserve(ends.length - 1);
  writeFirst(columns.step, () => line.steps, ends, at);
  writeLast(columns.step_last, () => line.steps, ends, at);
  writeFirst(columns.wall, () => line.walls, ends, at);
  writeLast(columns.wall_last, () => line.walls, ends, at);
  writeFirst(columns.first, () => line.values, ends, at);
  writeLast(columns.last, () => line.values, ends, at);
  if (columns.count)
    for (let row = 0; row + 1 < ends.length; row += 1) columns.count[at + row] = ends[row + 1]! - ends[row]!;
  if (columns.smoothed) writeSmoothed(line.values, weight, ends, columns.smoothed, at);
  columns.attempt?.fill(line.attempt, at, at + ends.length - 1);
  columns.replaced?.fill(line.isReplaced ? 1 : 0, at, at + ends.length - 1);
  if (out.wantsTally) writeTallies(line.values, ends, columns, at);
  if (out.wantsEarliest) for (let row = 0; row + 1 < ends.length; row += 1) out.sawWall(line.walls[ends[row]!]!);
  return points;
}

function writeFirst(target: Float64Array | undefined, source: () => Float64Array, ends: Int32Array, at: number): void {
  if (!target) return;
  const values = source();
  for (let row = 0; row + 1 < ends.length; row += 1) target[at + row] = values[ends[row]!]!;
}

function writeLast(target: Float64Array | undefined, source: () => Float64Array, ends: Int32Array, at: number): void {
  if (!target) return;
  const values = source();
  for (let row = 0; row + 1 < ends.length; row += 1) target[at + row] = values[ends[row + 1]! - 1]!;
}

function writeTallies(values: Float64Array, ends: Int32Array, columns: RowColumns, at: number): void {
  for (let row = 0; row + 1 < ends.length; row += 1) {
    const found = tally(values, ends[row]!, ends[row + 1]!);
    if (columns.min) columns.min[at + row] = found.min;
    if (columns.max) columns.max[at + row] = found.max;
    if (columns.mean) columns.mean[at + row] = found.mean;
    if (columns.nan) columns.nan[at + row] = found.nan;
    if (columns.posinf) columns.posinf[at + row] = found.posinf;
    if (columns.neginf) columns.neginf[at + row] = found.neginf;
  }
}
