/** Lanes at the sides of a part: each is a vertical line beside the boxes of its rows, shared by the edges of one end. */

import type { Structure } from "./structure";

export interface Lane {
  readonly x: number;
  readonly side: "left" | "right";
  /** Counts up; for spreading the horizontal pieces of lanes. */
  readonly index: number;
}

/** The sides of the rows, which lanes move outwards. */
export interface Sides {
  readonly left: Float64Array;
  readonly right: Float64Array;
}

const GAP_PX = 10;
/** Rows that all lanes together may look at; then lanes go beside the widest row. */
const MAX_VISITS = 4_000_000;

interface Bundle {
  readonly end: number;
  readonly edges: number[];
  first: number;
  last: number;
}

/** By edge; null for edges that are not in a lane. */
export function assignLanes(structure: Structure, x: Float64Array, sides: Sides): (Lane | null)[] {
  const lanes: (Lane | null)[] = Array.from(structure.upper, () => null);
  const boxes = { left: sides.left.slice(), right: sides.right.slice() };
  const placed: Record<Lane["side"], PlacedLane[]> = { left: [], right: [] };
  let visits = 0;
  let index = 0;
  for (const bundle of bundlesOf(structure)) {
    visits += bundle.last - bundle.first + 1 + index;
    const isSimple = visits > MAX_VISITS;
    const [first, last] = isSimple ? [0, sides.left.length - 1] : [bundle.first, bundle.last];
    const side = isSimple ? sideOf(index) : freerSide(structure, x, bundle, index);
    const outwards = side === "left" ? -1 : 1;
    const beside = isSimple ? [] : placed[side].filter((other) => other.first <= last && other.last >= first);
    const start = extent(isSimple ? sides : boxes, first, last)[side === "left" ? 0 : 1];
    const laneX = freeX(start, beside, outwards);
    placed[side].push({ x: laneX, first, last });
    for (let row = first; row <= last; row += 1)
      sides[side][row] = outwards * Math.max(outwards * sides[side][row]!, outwards * laneX);
    const lane: Lane = { x: laneX, side, index: index++ };
    for (const edge of bundle.edges) lanes[edge] = lane;
  }
  return lanes;
}

const sideOf = (index: number): Lane["side"] => (index % 2 === 0 ? "left" : "right");

/**
 * The side with fewer vertices between the end and the lane. They are counted, not measured: a lane must not change its
 * side because a box is opened.
 */
function freerSide({ rows }: Structure, x: Float64Array, { end, first, last }: Bundle, index: number): Lane["side"] {
  let more = 0;
  for (let row = first; row <= last; row += 1) {
    const vertices = rows[row]!;
    const nearest = vertices.reduce(
      (best, vertex, at) => (Math.abs(x[vertex]! - x[end]!) < Math.abs(x[vertices[best]!]! - x[end]!) ? at : best),
      0,
    );
    more += vertices.length - 1 - 2 * nearest;
  }
  return more > 0 ? "left" : more < 0 ? "right" : sideOf(index);
}

interface PlacedLane {
  readonly x: number;
  readonly first: number;
  readonly last: number;
}

function extent(sides: Sides, first: number, last: number): [left: number, right: number] {
  let [left, right] = [Infinity, -Infinity];
  for (let row = first; row <= last; row += 1) {
    left = Math.min(left, sides.left[row]!);
    right = Math.max(right, sides.right[row]!);
  }
  return [left, right];
}

/** The innermost position outside the boxes that keeps a gap to the lanes beside it. */
function freeX(start: number, beside: readonly PlacedLane[], outwards: number): number {
  const gap = gapOf(beside.length);
  let x = start + outwards * gap;
  for (const other of beside.map((lane) => outwards * lane.x).sort((a, b) => a - b)) {
    const distance = other - outwards * x;
    if (distance >= gap) break;
    if (distance > -gap) x = outwards * (other + gap);
  }
  return x;
}

/** Very many lanes come closer together, since nobody can follow one of them. */
const gapOf = (lanes: number): number => (lanes < 12 ? GAP_PX : lanes < 40 ? 4 : 0.5);

/** The edges of one end share a lane; the shortest lane is the innermost. */
function bundlesOf({ upper, lower, isLane, rank }: Structure): Bundle[] {
  const degree = new Map<number, number>();
  const countEnd = (vertex: number): void => void degree.set(vertex, (degree.get(vertex) ?? 0) + 1);
  isLane.forEach((is, edge) => {
    if (!is) return;
    countEnd(upper[edge]!);
    countEnd(lower[edge]!);
  });
  const bundles = new Map<number, Bundle>();
  isLane.forEach((is, edge) => {
    if (!is) return;
    const [a, b] = [upper[edge]!, lower[edge]!];
    const isByUpper = degree.get(a)! >= degree.get(b)!;
    const end = isByUpper ? a : b;
    // A vertex may have one lane above it and one below.
    const key = 2 * end + Number(isByUpper);
    let bundle = bundles.get(key);
    if (!bundle) bundles.set(key, (bundle = { end, edges: [], first: rank[a]!, last: rank[b]! }));
    bundle.edges.push(edge);
    bundle.first = Math.min(bundle.first, rank[a]!);
    bundle.last = Math.max(bundle.last, rank[b]!);
  });
  return [...bundles.values()].sort((a, b) => a.last - a.first - (b.last - b.first) || a.first - b.first);
}
