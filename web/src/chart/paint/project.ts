/** From values to device pixels of the plot, origin at its top left. NaN where there is nothing to draw. */

import { lowerBound, upperBound } from "../../base/binary_search";
import type { NumberColumn } from "../../data/columns";
import { project, type Scale } from "../scale";
import type { Columns, View } from "./scene";

/** Far outside every screen, and still exact in single precision. */
const FAR_PX = 1e5;

interface AxisLine {
  readonly scale: Scale;
  readonly origin: number;
  readonly pixelsPerUnit: number;
  readonly start: number;
}

function axisLine(scale: Scale, from: number, to: number, start: number, end: number): AxisLine {
  const origin = project(scale, from);
  return { scale, origin, pixelsPerUnit: (end - start) / (project(scale, to) - origin), start };
}

function toPixels(
  { scale, origin, pixelsPerUnit, start }: AxisLine,
  values: NumberColumn,
  from: number,
  to: number,
  out: Float32Array,
): void {
  const straight = scale.kind === "linear";
  for (let row = from; row < to; row += 1) {
    const value = values[row]!;
    // An infinite value has no position in the plot: it is marked on the baseline instead.
    const projected = straight ? value : project(scale, value);
    const pixel = value - value === 0 ? start + (projected - origin) * pixelsPerUnit : NaN;
    out[row - from] = pixel > FAR_PX ? FAR_PX : pixel < -FAR_PX ? -FAR_PX : pixel;
  }
}

export class Projection {
  readonly width: number;
  readonly height: number;
  /** The rows of the current series that are in view, and one more on either side. */
  first = 0;
  count = 0;
  /** Their pixels; only the first `count` are valid. */
  px: Float32Array;
  readonly #x: AxisLine;
  readonly #y: AxisLine;
  readonly #scratch: Float32Array;
  readonly #shared: Float32Array | null = null;

  constructor(
    private readonly columns: Columns,
    private readonly view: View,
  ) {
    this.width = Math.max(1, Math.round(view.w * view.dpr));
    this.height = Math.max(1, Math.round(view.h * view.dpr));
    this.#x = axisLine(view.xScale, view.x0, view.x1, 0, this.width);
    this.#y = axisLine(view.yScale, view.y0, view.y1, this.height, 0);
    this.#scratch = this.px = new Float32Array(columns.sharedX ? 0 : longest(columns.offsets));
    if (columns.sharedX) {
      this.#shared = new Float32Array(columns.x.length);
      toPixels(this.#x, columns.x, 0, columns.x.length, this.#shared);
    }
  }

  select(series: number): void {
    const { offsets, x } = this.columns;
    const start = offsets[series]!;
    const length = offsets[series + 1]! - start;
    const base = this.#shared ? 0 : start;
    const [from, to] = this.#inView(x, base, base + length);
    this.first = start + from - base;
    this.count = to - from;
    if (this.#shared) {
      this.px = this.#shared.subarray(from, to);
    } else {
      toPixels(this.#x, x, from, to, this.#scratch);
      this.px = this.#scratch;
    }
  }

  /** The y pixels of a column, for the current series. */
  y(column: NumberColumn, out: Float32Array): Float32Array {
    toPixels(this.#y, column, this.first, this.first + this.count, out);
    return out;
  }

  xOfRow(series: number, row: number): number {
    const { offsets, x, sharedX } = this.columns;
    const out = new Float32Array(1);
    const at = sharedX ? row - offsets[series]! : row;
    toPixels(this.#x, x, at, at + 1, out);
    return out[0]!;
  }

  #inView(x: NumberColumn, start: number, end: number): [number, number] {
    if (!this.columns.sorted) return [start, end];
    const from = lowerBound(x, this.view.x0, start, end);
    const to = upperBound(x, this.view.x1, from, end);
    return [Math.max(start, from - 1), Math.min(end, to + 1)];
  }
}

export function longest(offsets: Uint32Array): number {
  let length = 0;
  for (let index = 1; index < offsets.length; index += 1)
    length = Math.max(length, offsets[index]! - offsets[index - 1]!);
  return length;
}
