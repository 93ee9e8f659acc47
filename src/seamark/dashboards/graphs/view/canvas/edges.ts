/** Lines, arrow heads and labels of edges. */

import { format } from "$public/core";
import type { LayoutResult } from "../layout/types";
import type { VisibleGraph } from "../wire";
import type { PathSink } from "./pen";

const CORNER_PX = 8;
/** A piece that goes so many times further sideways than down is no curve. */
const MAX_SLANT = 8;

/**
 * Upright and level pieces are straight, with round corners between them; anything else is a curve that begins and ends
 * upright.
 */
export function traceEdge({ points, pointStarts }: LayoutResult, edge: number, sink: PathSink): void {
  const [first, end] = [pointStarts[edge]!, pointStarts[edge + 1]!];
  if (end - first < 2) return;
  sink.moveTo(points[2 * first]!, points[2 * first + 1]!);
  for (let at = first + 1; at < end; at += 1) {
    const [x0, y0, x1, y1] = [points[2 * at - 2]!, points[2 * at - 1]!, points[2 * at]!, points[2 * at + 1]!];
    if (x0 !== x1 && y0 !== y1) {
      const middle = (y0 + y1) / 2;
      if (Math.abs(x1 - x0) > MAX_SLANT * Math.abs(y1 - y0)) {
        traceStep(sink, [x0, y0, x1, y1], middle);
        continue;
      }
      sink.bezierCurveTo(x0, middle, x1, middle, x1, y1);
      continue;
    }
    if (at + 1 < end && isCorner(points, at)) roundCorner(points, at, sink);
    else sink.lineTo(x1, y1);
  }
}

/** Down, along and down, with round corners: a curve would be a slanted line. */
function traceStep(sink: PathSink, [x0, y0, x1, y1]: readonly [number, number, number, number], middle: number): void {
  const radius = Math.min(CORNER_PX, Math.abs(y1 - y0) / 2);
  const [down, along] = [Math.sign(y1 - y0) * radius, Math.sign(x1 - x0) * radius];
  sink.lineTo(x0, middle - down);
  sink.quadraticCurveTo(x0, middle, x0 + along, middle);
  sink.lineTo(x1 - along, middle);
  sink.quadraticCurveTo(x1, middle, x1, middle + down);
  sink.lineTo(x1, y1);
}

/** The same for a picture from far away, where curves cost time and cannot be seen. */
export function traceStraight({ points, pointStarts }: LayoutResult, edge: number, sink: PathSink): void {
  const first = pointStarts[edge]!;
  for (let at = first; at < pointStarts[edge + 1]!; at += 1)
    if (at === first) sink.moveTo(points[2 * at]!, points[2 * at + 1]!);
    else sink.lineTo(points[2 * at]!, points[2 * at + 1]!);
}

/** From a level piece to an upright one, or the other way round. */
function isCorner(points: Float64Array, at: number): boolean {
  const [x0, y0, x1, y1] = [points[2 * at - 2]!, points[2 * at - 1]!, points[2 * at]!, points[2 * at + 1]!];
  const [x2, y2] = [points[2 * at + 2]!, points[2 * at + 3]!];
  return (x0 === x1 && y1 === y2) || (y0 === y1 && x1 === x2);
}

function roundCorner(points: Float64Array, at: number, sink: PathSink): void {
  const [x0, y0, x1, y1] = [points[2 * at - 2]!, points[2 * at - 1]!, points[2 * at]!, points[2 * at + 1]!];
  const [x2, y2] = [points[2 * at + 2]!, points[2 * at + 3]!];
  const before = Math.abs(x1 - x0) + Math.abs(y1 - y0);
  const after = Math.abs(x2 - x1) + Math.abs(y2 - y1);
  const radius = Math.min(CORNER_PX, before / 2, after / 2);
  sink.lineTo(x1 - Math.sign(x1 - x0) * radius, y1 - Math.sign(y1 - y0) * radius);
  sink.quadraticCurveTo(x1, y1, x1 + Math.sign(x2 - x1) * radius, y1 + Math.sign(y2 - y1) * radius);
}

/** A triangle at the end of the edge. */
export function traceArrow({ points, pointStarts }: LayoutResult, edge: number, size: number, sink: PathSink): void {
  const last = pointStarts[edge + 1]! - 1;
  if (last <= pointStarts[edge]!) return;
  const [x0, y0, x, y] = [points[2 * last - 2]!, points[2 * last - 1]!, points[2 * last]!, points[2 * last + 1]!];
  // A curve ends upright.
  const dx = y0 === y ? Math.sign(x - x0) : 0;
  const dy = dx === 0 ? Math.sign(y - y0) || 1 : 0;
  const half = size / 2;
  sink.moveTo(x, y);
  sink.lineTo(x - dx * size - dy * half, y - dy * size - dx * half);
  sink.lineTo(x - dx * size + dy * half, y - dy * size + dx * half);
  sink.lineTo(x, y);
}

/** Bounds of each edge: left, top, right, bottom. */
export function edgeBounds({ points, pointStarts }: LayoutResult): Float64Array {
  const bounds = new Float64Array(4 * Math.max(0, pointStarts.length - 1));
  for (let edge = 0; edge + 1 < pointStarts.length; edge += 1) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = pointStarts[edge]!; at < pointStarts[edge + 1]!; at += 1) {
      left = Math.min(left, points[2 * at]!);
      right = Math.max(right, points[2 * at]!);
      top = Math.min(top, points[2 * at + 1]!);
      bottom = Math.max(bottom, points[2 * at + 1]!);
    }
    bounds.set([left, top, right, bottom], 4 * edge);
  }
  return bounds;
}

/** 1 for edges that stand for several, or that touch a group. */
export function bundlesOf({ boxes, edges }: VisibleGraph): Uint8Array {
  return Uint8Array.from(edges.source, (source, edge) =>
    Number(edges.count[edge]! > 1 || boxes.type[source] !== "op" || boxes.type[edges.target[edge]!] !== "op"),
  );
}

/**
 * The label of each edge, then shorter ones for where it has no room. Bundles have the number of edges, their shape and
 * bytes; other edges have the shape where it differs from all that enters the source. One edge speaks for those of the
 * same source, and for those with the same target and shape.
 */
export function edgeLabels({ edges }: VisibleGraph, isBundle: Uint8Array): string[][] {
  const inputs = new Set(edges.target.map((target, edge) => `${target} ${edges.shape[edge]}`));
  const labelled = new Set<number | string>();
  return edges.source.map((source, edge) => {
    const shape = edges.shape[edge]!;
    const isNews = isBundle[edge] === 1 || !inputs.has(`${source} ${shape}`);
    const there = `${edges.target[edge]} ${shape}`;
    if (!isNews || labelled.has(source) || labelled.has(there)) return [];
    const bytes = isBundle[edge] && edges.bytes[edge]! >= 0 ? format.bytes(edges.bytes[edge]!) : "";
    const count = edges.count[edge]! > 1 ? format.counted(edges.count[edge]!, "edge") : "";
    const variants = [[count, shape, bytes], [shape, bytes], [shape || count]];
    const texts = variants.map((parts) => parts.filter(Boolean).join(" · ")).filter(Boolean);
    if (texts.length > 0) labelled.add(source).add(there);
    return [...new Set(texts)];
  });
}
