/** The rows as points in pixels, and the marks that draw them: dots, crosses, hollow dots and density. */

import { gpu, type Mark, type Range } from "$public/charts";
import type { Facet } from "../fields/facets";
import { WRONG, type Judgement } from "../fields/judge";
import { densityMark } from "./density";
import { toPixel, xAxisOf, yAxisOf, type Panel } from "./layout";

/** By row; NaN for rows that are not drawn. */
export interface PointPixels {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

interface Positions {
  readonly positions: Float32Array;
  readonly range: Range;
}

export function pixelsOf(facets: readonly Facet[], panels: readonly Panel[], x: Positions, y: Positions): PointPixels {
  const count = x.positions.length;
  const pixels = { x: new Float32Array(count).fill(NaN), y: new Float32Array(count).fill(NaN) };
  facets.forEach(({ rows }, at) => {
    const panel = panels[at];
    if (!panel) return;
    const [across, upward] = [xAxisOf(panel, x.range), yAxisOf(panel, y.range)];
    for (const row of rows) {
      pixels.x[row] = toPixel(across, x.positions[row]!);
      pixels.y[row] = toPixel(upward, y.positions[row]!);
    }
  });
  return pixels;
}

export interface PointStyle {
  readonly pixels: Uint32Array;
  /** Null: nothing is a cross. */
  readonly judged: Judgement | null;
  /** By row, 0 to 4; null: all have one size. */
  readonly sizes: Uint8Array | null;
}

export const MAX_DOTS = 20_000;
const RADIUS_PX = 1.7;
export const SIZE_CLASSES = 5;
const CROSS_PX = 2;
const CROSS_ALPHA = 0.85;

/** The marks of one facet: errors are always crosses; above 20,000 rows the others are a density. */
export function facetMarks(points: PointPixels, rows: Uint32Array, panel: Panel, style: PointStyle): readonly Mark[] {
  const { judged } = style;
  const dots = judged ? rows.filter((row) => judged[row] !== WRONG) : rows;
  const crosses = judged ? rows.filter((row) => judged[row] === WRONG) : new Uint32Array();
  const body =
    rows.length > MAX_DOTS ? [densityMark(points, dots, panel, style.pixels)] : dotMarks(points, dots, style);
  return crosses.length > 0 ? [...body, crossMark(points, crosses, style.pixels)] : body;
}

/** One mark for each size that occurs. */
export function dotMarks(points: PointPixels, rows: Uint32Array, { pixels, sizes }: PointStyle): readonly Mark[] {
  if (rows.length === 0) return [];
  const mark = (order: Uint32Array, radius: number): Mark => ({
    type: "points",
    ...points,
    order,
    colour: pixels,
    radius,
    transform: gpu.PIXELS,
  });
  if (!sizes) return [mark(rows, RADIUS_PX)];
  // Large ones first: small ones lie on top.
  return Array.from({ length: SIZE_CLASSES }, (_, at) => SIZE_CLASSES - 1 - at)
    .map((size) => ({ size, order: rows.filter((row) => sizes[row] === size) }))
    .filter(({ order }) => order.length > 0)
    .map(({ size, order }) => mark(order, 1.2 + size * 0.9));
}

export function crossMark({ x, y }: PointPixels, rows: Uint32Array, pixels: Uint32Array): Mark {
  const [xs, ys] = [new Float32Array(rows.length * 4), new Float32Array(rows.length * 4)];
  const colour = new Uint32Array(rows.length * 4);
  const alpha = Math.round(CROSS_ALPHA * 255) << 24;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const [px, py, first] = [x[row]!, y[row]!, at * 4];
    xs[first] = xs[first + 3] = px - CROSS_PX;
    xs[first + 1] = xs[first + 2] = px + CROSS_PX;
    ys[first] = ys[first + 2] = py - CROSS_PX;
    ys[first + 1] = ys[first + 3] = py + CROSS_PX;
    colour.fill(((pixels[row]! & 0xffffff) | alpha) >>> 0, first, first + 4);
  }
  return { type: "lines", x: xs, y: ys, isJoined: false, colour, width: 1.1, transform: gpu.PIXELS };
}

/** Rings, for the second model. */
export function hollowMarks(
  points: PointPixels,
  rows: Uint32Array,
  pixels: Uint32Array,
  surface: number,
): readonly Mark[] {
  const ring = { type: "points", ...points, order: rows, transform: gpu.PIXELS } as const;
  return [
    { ...ring, colour: pixels, radius: 2.4 },
    { ...ring, colour: surface, radius: 1.4 },
  ];
}

/** The class of each row's size, by the rank of its value: one outlier must not make all others equal. */
export function sizesOf(values: ArrayLike<number>): Uint8Array {
  const sorted = Float32Array.from(values)
    .filter((value) => Number.isFinite(value))
    .sort();
  const edges = Array.from(
    { length: SIZE_CLASSES - 1 },
    (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / SIZE_CLASSES)] ?? Infinity,
  );
  return Uint8Array.from({ length: values.length }, (_, row) => {
    let size = 0;
    while (size < edges.length && values[row]! >= edges[size]!) size += 1;
    return size;
  });
}
