/** The histograms of a block as rows along an axis, and what a card says about them. */

import { formatCount } from "../../base/format";
import { REPLACED_ALPHA } from "../../chart/paint/scene";
import type { Axis } from "../../data/api";
import { rowsOfRun, type HistogramBlock } from "../../data/histograms";

/** One histogram of the block. */
export interface HistogramRow {
  readonly row: number;
  readonly run: string;
  /** In units of the axis. */
  readonly along: number;
  readonly step: number;
  /** Of the drawing; below 1 where a restart replaced the attempt. */
  readonly alpha: number;
}

/** The histograms of these runs, in the order of the axis; where it is the same, in the order of the runs. */
export function rowsOf(block: HistogramBlock, runs: readonly string[], axis: Axis): HistogramRow[] {
  const rows: HistogramRow[] = [];
  for (const run of runs) {
    const { from, to } = rowsOfRun(block, run);
    const index = block.runs.indexOf(run);
    const began = block.began[index] ?? 0;
    const counted = to - (block.replaced[index] ?? 0);
    for (let row = from; row < to; row += 1) {
      const wall = block.wall[row]!;
      rows.push({
        row,
        run,
        step: block.step[row]!,
        along: axis === "step" ? block.step[row]! : axis === "wall" ? wall : wall - began,
        alpha: row < counted ? 1 : REPLACED_ALPHA,
      });
    }
  }
  return rows.sort((a, b) => a.along - b.along);
}

/** The row that is nearest along the axis, among those of one run. */
export function nearestRow(rows: readonly HistogramRow[], along: number, run?: string): HistogramRow | null {
  let best: HistogramRow | null = null;
  for (const row of rows) {
    if (run !== undefined && row.run !== run) continue;
    if (!best || Math.abs(row.along - along) < Math.abs(best.along - along)) best = row;
  }
  return best;
}

/** The value along the axis that a key leads to: `by` histograms further, from the pointer or from an end. */
export function stepped(
  rows: readonly { readonly along: number }[],
  from: number | null,
  by: number,
): number | undefined {
  const values = [...new Set(rows.map(({ along }) => along))];
  const nearest = (at: number): number =>
    values.reduce((best, value, index) => (Math.abs(value - at) < Math.abs(values[best]! - at) ? index : best), 0);
  const start = from === null ? (by > 0 ? -1 : values.length) : nearest(from);
  const index = start + (Number.isFinite(by) ? by : Math.sign(by) * values.length);
  return values[Math.min(Math.max(0, index), values.length - 1)];
}

export interface Tally {
  readonly drawn: number;
  readonly points: number;
  readonly total: number;
  /** Values in no bucket, of the histograms that are drawn. */
  readonly leftOut: number;
  /** Histograms that are drawn dimmed. */
  readonly replaced: number;
}

export function tallyOf(block: HistogramBlock, rows: readonly HistogramRow[]): Tally {
  const runs = [...new Set(rows.map(({ run }) => block.runs.indexOf(run)))];
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
  return {
    drawn: rows.length,
    points: sum(runs.map((run) => block.points[run]!)),
    total: sum(runs.map((run) => block.total[run]!)),
    leftOut: sum(rows.map(({ row }) => block.leftOut[row]!)),
    replaced: rows.filter(({ alpha }) => alpha < 1).length,
  };
}

/** The line below the tag of a card. */
export function noteOf({ drawn, points, total, leftOut, replaced }: Tally, format: (count: number) => string): string {
  const of =
    points < total
      ? `${format(points)} of ${format(total)} steps`
      : `${format(total)} ${total === 1 ? "step" : "steps"}`;
  const words = [drawn < points ? `${of}, ${format(drawn)} drawn: zoom in for more` : of];
  if (leftOut > 0) words.push(`${format(leftOut)} NaN or ∞`);
  if (replaced > 0) words.push(`${format(replaced)} replaced`);
  return words.join(" · ");
}

/** A number with all digits that float32 distinguishes, and no more. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "NaN";
  const size = Math.abs(value);
  const known = Number(value.toPrecision(7));
  if (size === 0 || (size >= 1e-4 && size < 1e9)) return formatCount(known, 12);
  return known.toExponential().replace("e+", "e").replace(/-/g, "−");
}
