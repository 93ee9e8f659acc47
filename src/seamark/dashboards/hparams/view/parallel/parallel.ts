/** Parallel coordinates without a page: where axes stand, where trials cross them, which trial is under the pointer. */

import { AT_MISSING, type ParallelAxis } from "../axes/axes";
import { easeAt, LineField } from "./line_field";

export interface PlotArea {
  readonly width: number;
  readonly height: number;
  /** The axes' ends. */
  readonly top: number;
  readonly bottom: number;
  readonly xs: readonly number[];
  /** Of the marks below the axes: nothing logged, not a number. */
  readonly missingY: number;
  readonly nonFiniteY: number;
}

/** "learning_rate" for "optim.learning_rate", unless another axis ends in the same word. */
export function shortNames(labels: readonly string[]): string[] {
  const endOf = (label: string, parts: number): string => label.split(".").slice(-parts).join(".");
  return labels.map((label) => {
    let parts = 1;
    while (
      endOf(label, parts) !== label &&
      labels.some((other) => other !== label && endOf(other, parts) === endOf(label, parts))
    )
      parts += 1;
    return endOf(label, parts);
  });
}

export const MARGIN = { left: 44, right: 46, top: 34, bottom: 14 } as const;
const RAIL = 17;

export function plotAreaOf(axes: readonly ParallelAxis[], width: number, height: number): PlotArea {
  const hasMissing = axes.some((axis) => axis.hasMissing);
  const hasNonFinite = axes.some((axis) => axis.hasNonFinite);
  const rails = (hasMissing ? RAIL : 0) + (hasNonFinite ? RAIL : 0);
  const bottom = Math.max(MARGIN.top + 40, height - MARGIN.bottom - (rails > 0 ? rails - 2 : 0));
  const gaps = Math.max(1, axes.length - 1);
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right);
  return {
    width,
    height,
    top: MARGIN.top,
    bottom,
    xs: axes.map((_, index) => Math.round(MARGIN.left + (axes.length === 1 ? inner / 2 : (index * inner) / gaps))),
    missingY: bottom + RAIL,
    nonFiniteY: bottom + (hasMissing ? 2 : 1) * RAIL,
  };
}

export function yOf({ top, bottom, missingY, nonFiniteY }: PlotArea, at: number): number {
  if (at >= 0) return bottom - at * (bottom - top);
  return at === AT_MISSING ? missingY : nonFiniteY;
}

export const shareAt = ({ top, bottom }: PlotArea, y: number): number => (bottom - y) / (bottom - top);

/** Trial by trial, axis by axis. */
export function ysOf(axes: readonly ParallelAxis[], area: PlotArea, rows: number): Float32Array {
  const ys = new Float32Array(rows * axes.length);
  axes.forEach((axis, index) => {
    for (let row = 0; row < rows; row += 1) ys[row * axes.length + index] = yOf(area, axis.at[row]!);
  });
  return ys;
}

/** The trial whose curve passes nearest to a point, if one does within reach. `rank` breaks ties: the higher lies on top. */
export function nearestRow(
  area: PlotArea,
  ys: Float32Array,
  allowed: (row: number) => boolean,
  point: { x: number; y: number },
  reachPx = 8,
): number | null {
  const { xs } = area;
  const axes = xs.length;
  if (axes < 2 || point.x < xs[0]! - reachPx || point.x > xs.at(-1)! + reachPx) return null;
  const x = Math.min(xs.at(-1)!, Math.max(xs[0]!, point.x));
  const gap = Math.max(0, Math.min(axes - 2, xs.findIndex((edge) => edge > x) - 1));
  const safeGap = x >= xs.at(-1)! ? axes - 2 : gap;
  const eased = easeAt((x - xs[safeGap]!) / (xs[safeGap + 1]! - xs[safeGap]!));
  let best: number | null = null;
  let reach = reachPx;
  for (let row = 0; row < ys.length / axes; row += 1) {
    if (!allowed(row)) continue;
    const from = ys[row * axes + safeGap]!;
    const away = Math.abs(from + (ys[row * axes + safeGap + 1]! - from) * eased - point.y);
    if (away <= reach) {
      reach = away;
      best = row;
    }
  }
  return best;
}

/** Keeps the sum of the curves inside the brush, and changes it by what a new brush changes. */
export class BrushedLines {
  readonly field: LineField;
  readonly #ys: Float32Array;
  readonly #axes: number;
  readonly #good: Uint8Array;
  #inside: Uint8Array;
  count = 0;
  /** Curves added or taken away by the last change: what a frame costs. */
  touched = 0;

  constructor(field: LineField, ys: Float32Array, axes: number, good: Uint8Array) {
    this.field = field;
    this.#ys = ys;
    this.#axes = axes;
    this.#good = good;
    this.#inside = new Uint8Array(good.length);
  }

  update(inside: Uint8Array): void {
    let changes = 0;
    let wanted = 0;
    for (let row = 0; row < inside.length; row += 1) {
      if (inside[row] !== this.#inside[row]) changes += 1;
      wanted += inside[row]!;
    }
    // From nothing is cheaper when few stay.
    if (changes > wanted) {
      this.field.clear();
      this.#inside = new Uint8Array(inside.length);
    }
    this.touched = Math.min(changes, wanted);
    for (let row = 0; row < inside.length; row += 1) {
      if (inside[row] !== this.#inside[row])
        this.field.add(this.#ys, row * this.#axes, this.#good[row]!, inside[row] === 1 ? 1 : -1);
    }
    this.#inside = inside.slice();
    this.count = wanted;
  }
}
