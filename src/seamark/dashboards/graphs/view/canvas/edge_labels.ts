/** Where the labels of edges stand: beside their line, and over no box, line, border or other label. */

import { HEADER_PX } from "../layout/types";
import { Obstacles, type Rect } from "./obstacles";
import type { Scene } from "./scene";
import { textWidth } from "./text";

export const LABEL_SIZE_PX = 10;
const HALF_HEIGHT_PX = 6;
/** Between a line and its label. */
const BESIDE_PX = 8;
/** From the start of an edge, or from its end with its arrow, to the middle of the label. */
const BELOW_START_PX = [11, 14];
const ABOVE_END_PX = 16;
/** Half of the widest line, and some space. */
const LINE_PX = 3;
const CURVE_PIECES = 8;
const STACK_PX = 6;

export interface EdgeLabel {
  readonly edge: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly align: "left" | "right";
}

type Placed = Pick<Scene, "graph" | "layout">;

/** `labels` has the text of each edge and shorter ones; the first that has room is taken, or none. */
export function placeEdgeLabels(scene: Placed, labels: readonly (readonly string[])[]): EdgeLabel[] {
  if (labels.every((texts) => texts.length === 0)) return [];
  const obstacles = obstaclesOf(scene);
  const placed: EdgeLabel[] = [];
  labels.forEach((texts, edge) => {
    const label = firstFree(scene, obstacles, edge, texts);
    if (!label) return;
    placed.push(label);
    obstacles.add(rectOf(label));
  });
  return placed;
}

function firstFree(scene: Placed, obstacles: Obstacles, edge: number, texts: readonly string[]): EdgeLabel | null {
  for (const text of texts)
    for (const place of placesOf(scene, edge)) {
      const label = { edge, text, ...place };
      if (obstacles.isFree(rectOf(label))) return label;
    }
  return null;
}

function rectOf({ x, y, text, align }: EdgeLabel): Rect {
  const width = textWidth(text, LABEL_SIZE_PX, 400);
  const left = align === "left" ? x : x - width;
  return [left, y - HALF_HEIGHT_PX, left + width, y + HALF_HEIGHT_PX];
}

/** At the start of the line, then at its end; on the side that the line does not go to, then on the other. */
function* placesOf({ layout }: Placed, edge: number): Generator<Omit<EdgeLabel, "edge" | "text">> {
  const { points, pointStarts } = layout;
  const [first, last] = [pointStarts[edge]!, pointStarts[edge + 1]! - 1];
  if (last - first < 1) return;
  const pointAt = (at: number): readonly [number, number] => [points[2 * at]!, points[2 * at + 1]!];
  const [[x0, y0], [x1, y1]] = [pointAt(first), pointAt(first + 1)];
  if (y1 > y0) for (const below of BELOW_START_PX) yield* bothSides(x0, y0 + below, x1 > x0);
  const [[x2, y2], [x3, y3]] = [pointAt(last - 1), pointAt(last)];
  if (y3 > y2) yield* bothSides(x3, y3 - ABOVE_END_PX, x2 > x3);
}

function* bothSides(x: number, y: number, isLeftFirst: boolean): Generator<Omit<EdgeLabel, "edge" | "text">> {
  const sides = [
    { x: x + BESIDE_PX, y, align: "left" },
    { x: x - BESIDE_PX, y, align: "right" },
  ] as const;
  yield* isLeftFirst ? [sides[1], sides[0]] : sides;
}

function obstaclesOf({ graph, layout }: Placed): Obstacles {
  const obstacles = new Obstacles();
  const { is_open: isOpen, type } = graph.boxes;
  isOpen.forEach((opened, box) => {
    const [x, y, width, height] = layout.rects.subarray(4 * box, 4 * box + 4) as unknown as [number, number, number, number]; // prettier-ignore
    const shadow = type[box] === "series" ? STACK_PX : 0;
    if (opened) addFrame(obstacles, x, y, width, height);
    else obstacles.add([x, y, x + width + shadow, y + height + shadow]);
  });
  for (let edge = 0; edge + 1 < layout.pointStarts.length; edge += 1) {
    const [source, target] = [graph.edges.source[edge]!, graph.edges.target[edge]!];
    // Drawn only while one of their ends is selected.
    if (graph.boxes.is_aside[source] || graph.boxes.is_aside[target]) continue;
    for (let at = layout.pointStarts[edge]! + 1; at < layout.pointStarts[edge + 1]!; at += 1)
      addPiece(obstacles, layout.points.subarray(2 * at - 2, 2 * at + 2));
  }
  return obstacles;
}

/** The header and the borders of an open group. */
function addFrame(obstacles: Obstacles, x: number, y: number, width: number, height: number): void {
  const [right, bottom] = [x + width, y + height];
  obstacles.add([x, y, right, y + HEADER_PX]);
  obstacles.add([x, bottom - 1, right, bottom + 1]);
  obstacles.add([x - 1, y, x + 1, bottom]);
  obstacles.add([right - 1, y, right + 1, bottom]);
}

/** A straight piece, or a curve that begins and ends upright: see traceEdge. */
function addPiece(obstacles: Obstacles, piece: Float64Array): void {
  const [x0, y0, x1, y1] = piece as unknown as [number, number, number, number];
  const pieces = x0 === x1 || y0 === y1 ? 1 : CURVE_PIECES;
  let [fromX, fromY] = [x0, y0];
  for (let step = 1; step <= pieces; step += 1) {
    const share = step / pieces;
    const [x, y] = pieces === 1 ? [x1, y1] : [x0 + (x1 - x0) * bent(share, 0), y0 + (y1 - y0) * bent(share, 0.5)];
    obstacles.add([
      Math.min(fromX, x) - LINE_PX,
      Math.min(fromY, y) - LINE_PX,
      Math.max(fromX, x) + LINE_PX,
      Math.max(fromY, y) + LINE_PX,
    ]);
    [fromX, fromY] = [x, y];
  }
}

/** A cubic Bézier curve from 0 to 1 whose inner points are at `inner` and 1 − `inner`. */
function bent(share: number, inner: number): number {
  const rest = 1 - share;
  return 3 * rest * rest * share * inner + 3 * rest * share * share * (1 - inner) + share ** 3;
}
