/** What is drawn over the points, as shapes in pixels: on the canvas, and in the exported SVG. */

import type { Point, Polygon } from "$public/charts";
import { pixelOf, type Plane, type Positions } from "../camera";
import type { Neighbours } from "../../wire";
import { FONT_PX, isBold, type PlacedText } from "./labels";
import type { PlacedThumbnail } from "./thumbnails";

/** Colours are design tokens. */
export type Shape =
  /** Four numbers for each segment. */
  | { readonly type: "segments"; readonly ends: readonly number[]; readonly colour: string; readonly alpha: number; readonly width: number; readonly isDashed?: boolean } // prettier-ignore
  | { readonly type: "ring"; readonly at: Point; readonly radius: number; readonly colour: string; readonly width: number } // prettier-ignore
  | { readonly type: "text"; readonly left: number; readonly middle: number; readonly text: string; readonly sizePx: number; readonly isBold: boolean; readonly colour: string } // prettier-ignore
  | { readonly type: "area"; readonly polygon: Polygon; readonly isClosed: boolean }
  | ({ readonly type: "thumbnail" } & PlacedThumbnail);

export interface Scene {
  readonly positions: Positions;
  readonly plane: Plane;
  readonly isShown: (row: number) => boolean;
}

const isPlaced = ({ positions, isShown }: Scene, row: number): boolean =>
  row < positions.x.length && Number.isFinite(positions.x[row]!) && isShown(row);

/** Lines between rows, two for each. */
export function segmentsBetween(scene: Scene, pairs: ArrayLike<number>): number[] {
  const ends: number[] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [from, to] = [pairs[at]!, pairs[at + 1]!];
    if (!isPlaced(scene, from) || !isPlaced(scene, to)) continue;
    const [a, b] = [pixelOf(scene.plane, scene.positions, from), pixelOf(scene.plane, scene.positions, to)];
    ends.push(a.x, a.y, b.x, b.y);
  }
  return ends;
}

/** The pairs of rows that a column `__next__` joins: each row names the next one. */
export function sequencePairs(next: ArrayLike<number>): Uint32Array {
  const pairs: number[] = [];
  for (let row = 0; row < next.length; row += 1) {
    const to = next[row]!;
    if (Number.isInteger(to) && to >= 0 && to < next.length && to !== row) pairs.push(row, to);
  }
  return Uint32Array.from(pairs);
}

/** The ways of the shown ones of some rows from step to step. */
export function trailSegments(
  { plane, isShown }: Omit<Scene, "positions">,
  rows: ArrayLike<number>,
  steps: readonly Positions[],
): number[] {
  const ends: number[] = [];
  for (let at = 0; at < rows.length; at += 1)
    for (let step = 1; isShown(rows[at]!) && step < steps.length; step += 1) {
      const [from, to] = [pixelOf(plane, steps[step - 1]!, rows[at]!), pixelOf(plane, steps[step]!, rows[at]!)];
      if (Number.isFinite(from.x + to.x)) ends.push(from.x, from.y, to.x, to.y);
    }
  return ends;
}

/** Solid to neighbours that are near in the picture too, amber and dashed to those that it tears apart. */
export function neighbourShapes(scene: Scene, row: number, { rows, picture_ranks }: Neighbours): Shape[] {
  const isKept = (at: number): boolean => picture_ranks[at]! > 0 && picture_ranks[at]! <= rows.length;
  const pairs = (wanted: boolean): number[] => rows.flatMap((to, at) => (isKept(at) === wanted ? [row, to] : []));
  const torn = rows.filter((to, at) => !isKept(at) && isPlaced(scene, to));
  return [
    { type: "segments", ends: segmentsBetween(scene, pairs(true)), colour: "--text", alpha: 0.75, width: 1 },
    { type: "segments", ends: segmentsBetween(scene, pairs(false)), colour: "--warn", alpha: 1, width: 1.2, isDashed: true }, // prettier-ignore
    ...torn.map((to) => ring(scene, to, 4, "--warn", 1.5)),
  ];
}

export const ring = (
  { positions, plane }: Scene,
  row: number,
  radius: number,
  colour: string,
  width: number,
): Shape => ({ type: "ring", at: pixelOf(plane, positions, row), radius, colour, width });

/** Rings around rows, as far as they are placed. */
export const rings = (scene: Scene, rows: ArrayLike<number>, radius: number, colour: string, width: number): Shape[] =>
  Array.from(rows).flatMap((row) => (isPlaced(scene, row) ? [ring(scene, row, radius, colour, width)] : []));

export const textShape = ({ rank, left, middle, text }: PlacedText): Shape => ({
  type: "text",
  left,
  middle,
  text,
  sizePx: FONT_PX[rank],
  isBold: isBold(rank),
  colour: isBold(rank) ? "--text" : "--text-2",
});
