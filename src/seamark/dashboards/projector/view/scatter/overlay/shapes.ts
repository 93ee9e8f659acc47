/** What is drawn over the points, as shapes in pixels: on the canvas, and in the exported SVG. */

import type { Point, Polygon } from "$public/charts";
import { markOf, type Mark } from "../../inspector/neighbours";
import { pixelOf, type Plane, type Positions, type SpaceBox } from "../camera";
import type { Neighbours } from "../../wire";
import { FONT_PX, isBold, type PlacedText } from "./labels";
import type { PlacedThumbnail } from "./thumbnails";

/** Colours are design tokens. */
export type Shape =
  /** Four numbers for each segment. */
  | { readonly type: "segments"; readonly ends: readonly number[]; readonly colour: string; readonly alpha: number; readonly width: number; readonly isDashed?: boolean } // prettier-ignore
  | { readonly type: "ring"; readonly at: Point; readonly radius: number; readonly colour: string; readonly width: number } // prettier-ignore
  | { readonly type: "text"; readonly left: number; readonly middle: number; readonly text: string; readonly sizePx: number; readonly isBold: boolean; readonly colour: string } // prettier-ignore
  /** Of a legend, with colours as CSS. */
  | { readonly type: "mark"; readonly at: Point; readonly radius: number; readonly colour: string; readonly isRing: boolean } // prettier-ignore
  | { readonly type: "ramp"; readonly left: number; readonly top: number; readonly width: number; readonly height: number; readonly colours: readonly string[] } // prettier-ignore
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

/** Solid to neighbours that are near in the picture too, paler to those farther away, amber and dashed to torn ones. */
export function neighbourShapes(scene: Scene, row: number, { rows, picture_ranks }: Neighbours): Shape[] {
  const marked = (mark: Mark): number[] => rows.filter((_, at) => markOf(picture_ranks[at]!, rows.length) === mark);
  const ends = (mark: Mark): number[] =>
    segmentsBetween(
      scene,
      marked(mark).flatMap((to) => [row, to]),
    );
  const torn = marked("torn").filter((to) => isPlaced(scene, to));
  return [
    { type: "segments", ends: ends("kept"), colour: "--text", alpha: 0.75, width: 1 },
    { type: "segments", ends: ends("farther"), colour: "--text", alpha: 0.35, width: 1 },
    { type: "segments", ends: ends("torn"), colour: "--warn", alpha: 1, width: 1.2, isDashed: true }, // prettier-ignore
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

/** Pairs of corners: a bit of each says whether it is the high end of x, y and z. The first three are the axes. */
const EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6], [3, 7], [5, 7], [6, 7]] as const; // prettier-ignore
const AXIS_TITLE_GAP = 1.04;

/** The box around the points of a picture in three dimensions: faint edges, while the axes are stronger and have their titles at their ends. */
export function boxShapes({ low, high }: SpaceBox, { u, v }: Plane, titles: readonly string[]): Shape[] {
  const at = (corner: number, reach = 1): Point => {
    const [x, y, z] = [0, 1, 2].map((axis) => low[axis]! + ((corner >> axis) & 1) * reach * (high[axis]! - low[axis]!)) as [number, number, number]; // prettier-ignore
    return { x: u[0] * x + u[1] * y + u[2] * z + u[3], y: v[0] * x + v[1] * y + v[2] * z + v[3] };
  };
  const segments = (edges: readonly (readonly [number, number])[], alpha: number): Shape => ({
    type: "segments",
    ends: edges.flatMap(([from, to]) => [at(from).x, at(from).y, at(to).x, at(to).y]),
    colour: "--text-3",
    alpha,
    width: 1,
  });
  const named = ["x", "y", "z"].map((letter, axis): Shape => {
    const { x, y } = at(1 << axis, AXIS_TITLE_GAP);
    return { type: "text", left: x + 3, middle: y, text: titles[axis] ?? letter, sizePx: 11, isBold: false, colour: "--text-2" }; // prettier-ignore
  });
  return [segments(EDGES.slice(3), 0.25), segments(EDGES.slice(0, 3), 0.9), ...named];
}
