/**
 * The shape of one connected part of a group, without sizes: the row of each vertex, the vertices that long edges pass
 * through, and the edges that run in a lane at the side. It stays the same when boxes change only their size.
 */

import { groupByEnd } from "./adjacency";
import { orderRows } from "./order";
import { assignRanks, findBackEdges, topologicalOrder, wrapWideRows } from "./ranks";

export interface Structure {
  readonly boxes: number;
  /** Ports at the top, where edges from outside enter, and at the bottom. */
  readonly entries: number;
  readonly exits: number;
  /** Vertices: the boxes, the entries, the exits, then the bends of long edges. */
  readonly vertices: number;
  readonly rank: Int32Array;
  /** The vertices of each row, from left to right. The first row is that of the entries, the last that of the exits. */
  readonly rows: readonly Int32Array[];
  /** By edge, after back edges were turned round. */
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  readonly isBack: Uint8Array;
  readonly isLane: Uint8Array;
  /** The bends of an edge, from the top: `bends` of them from this vertex on. */
  readonly firstBend: Int32Array;
  readonly bends: Int32Array;
  readonly segments: Segments;
}

/** Pieces of edges between adjacent rows, and how straight each should be. */
interface Segments {
  readonly upper: Int32Array;
  readonly lower: Int32Array;
  readonly weight: Float64Array;
  /** The edge that leaves a box with this segment, or enters one; -1 if the end is a bend. */
  readonly leavesOf: Int32Array;
  readonly entersOf: Int32Array;
}

export interface StructureInput {
  readonly boxes: number;
  readonly entries: number;
  readonly exits: number;
  /** Vertices: the boxes, the entries, the exits. No self loops. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** A number by box: rows begin in this order. */
  readonly seed: Float64Array;
}

/** An edge over more rows than this runs in a lane. */
const MAX_BENDS = 6;
/** So far apart that a chain is straight to a fraction of a pixel, whatever else wants to move it. */
const CHAIN_WEIGHT = 1e12;
const MAIN_WEIGHT = 1e9;
const BEND_WEIGHT = 1e4;
const SIDE_WEIGHT = 1e2;

export function buildStructure({ boxes, entries, exits, from, to, seed }: StructureInput): Structure {
  const isInner = (edge: number): boolean => from[edge]! < boxes && to[edge]! < boxes;
  const inner = Int32Array.from({ length: from.length }, (_, edge) => edge).filter(isInner);
  const innerBack = findBackEdges(boxes, inner.map((edge) => from[edge]!), inner.map((edge) => to[edge]!)); // prettier-ignore
  const isBack = new Uint8Array(from.length);
  inner.forEach((edge, index) => (isBack[edge] = innerBack[index]!));
  const upper = from.map((vertex, edge) => (isBack[edge] ? to[edge]! : vertex));
  const lower = to.map((vertex, edge) => (isBack[edge] ? from[edge]! : vertex));
  const boxRank = assignRanks(boxes, inner.map((edge) => upper[edge]!), inner.map((edge) => lower[edge]!)); // prettier-ignore
  const isWrapped = wrapWideRows(boxRank);
  const rank = withPorts(boxRank, entries, exits);
  const { isLane, firstBend, bends, vertices } = placeBends({ boxes, upper, lower, rank, isWrapped, isBack });
  const fullRank = new Int32Array(vertices);
  fullRank.set(rank);
  for (let edge = 0; edge < from.length; edge += 1)
    for (let bend = 0; bend < bends[edge]!; bend += 1)
      fullRank[firstBend[edge]! + bend] = rank[upper[edge]!]! + 1 + bend;
  const segments = segmentsOf({ upper, lower, isLane, firstBend, bends }, mainEdges(rank.length, upper, lower));
  const rows = orderRows(fullRank, segments, seedOf(vertices, { boxes, seed, upper, lower, firstBend, bends }));
  if (exits === 0) rows.push(new Int32Array(0));
  return {
    boxes,
    entries,
    exits,
    vertices,
    rank: fullRank,
    rows,
    upper,
    lower,
    isBack,
    isLane,
    firstBend,
    bends,
    segments,
  };
}

/** The entries have row 0, the exits the last one. */
function withPorts(boxRank: Int32Array, entries: number, exits: number): Int32Array {
  const rank = new Int32Array(boxRank.length + entries + exits);
  let last = 0;
  boxRank.forEach((row, box) => {
    rank[box] = row + 1;
    last = Math.max(last, row + 1);
  });
  return rank.fill(last + 1, boxRank.length + entries);
}

function placeBends({
  boxes,
  upper,
  lower,
  rank,
  isWrapped,
  isBack,
}: {
  boxes: number;
  upper: Int32Array;
  lower: Int32Array;
  rank: Int32Array;
  isWrapped: Uint8Array;
  isBack: Uint8Array;
}): Pick<Structure, "isLane" | "firstBend" | "bends" | "vertices"> {
  // A back edge leaves at the bottom and goes round to the top.
  const isLane = isBack.slice();
  const firstBend = new Int32Array(upper.length);
  const bends = new Int32Array(upper.length);
  const maxBends = 200 + 3 * boxes;
  let vertices = rank.length;
  // Short edges first: the long ones gain most from a lane.
  for (let span = 2; span <= MAX_BENDS + 1; span += 1)
    for (let edge = 0; edge < upper.length; edge += 1) {
      const [a, b] = [upper[edge]!, lower[edge]!];
      if (rank[b]! - rank[a]! !== span || isBack[edge]) continue;
      if (isWrapped[a] || isWrapped[b] || vertices - boxes + span > maxBends) {
        isLane[edge] = 1;
        continue;
      }
      firstBend[edge] = vertices;
      bends[edge] = span - 1;
      vertices += span - 1;
    }
  for (let edge = 0; edge < upper.length; edge += 1)
    if (rank[lower[edge]!]! - rank[upper[edge]!]! > MAX_BENDS + 1) isLane[edge] = 1;
  return { isLane, firstBend, bends, vertices };
}

/**
 * 2 for edges on the longest way both into their target and out of their source, 1 for one of the two; 3 if there is no
 * other way.
 */
function mainEdges(vertices: number, upper: Int32Array, lower: Int32Array): Uint8Array {
  const outputs = groupByEnd(vertices, upper);
  const order = topologicalOrder(vertices, lower, outputs);
  const [above, below] = [new Int32Array(vertices), new Int32Array(vertices)];
  for (const vertex of order)
    for (let at = outputs.start[vertex]!; at < outputs.start[vertex + 1]!; at += 1) {
      const target = lower[outputs.edges[at]!]!;
      above[target] = Math.max(above[target]!, above[vertex]! + 1);
    }
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const vertex = order[index]!;
    for (let at = outputs.start[vertex]!; at < outputs.start[vertex + 1]!; at += 1)
      below[vertex] = Math.max(below[vertex]!, below[lower[outputs.edges[at]!]!]! + 1);
  }
  const inputs = groupByEnd(vertices, lower);
  const isSingle = ({ start }: typeof inputs, vertex: number): boolean => start[vertex + 1]! - start[vertex]! === 1;
  return Uint8Array.from(upper, (a, edge) => {
    const b = lower[edge]!;
    if (isSingle(outputs, a) && isSingle(inputs, b)) return 3;
    return Number(above[b] === above[a]! + 1) + Number(below[a] === below[b]! + 1);
  });
}

function segmentsOf(
  { upper, lower, isLane, firstBend, bends }: Pick<Structure, "upper" | "lower" | "isLane" | "firstBend" | "bends">,
  isMain: Uint8Array,
): Segments {
  const [uppers, lowers, weights]: [number[], number[], number[]] = [[], [], []];
  const [leaves, enters]: [number[], number[]] = [[], []];
  const weightOf = [1, SIDE_WEIGHT, MAIN_WEIGHT, CHAIN_WEIGHT];
  for (let edge = 0; edge < upper.length; edge += 1) {
    if (isLane[edge]) continue;
    let above = upper[edge]!;
    for (let bend = 0; bend < bends[edge]!; bend += 1) {
      uppers.push(above);
      lowers.push(firstBend[edge]! + bend);
      weights.push(bend === 0 ? 1 : BEND_WEIGHT);
      leaves.push(bend === 0 ? edge : -1);
      enters.push(-1);
      above = firstBend[edge]! + bend;
    }
    uppers.push(above);
    lowers.push(lower[edge]!);
    weights.push(bends[edge]! > 0 ? 1 : weightOf[isMain[edge]!]!);
    leaves.push(bends[edge]! > 0 ? -1 : edge);
    enters.push(edge);
  }
  return {
    upper: Int32Array.from(uppers),
    lower: Int32Array.from(lowers),
    weight: Float64Array.from(weights),
    leavesOf: Int32Array.from(leaves),
    entersOf: Int32Array.from(enters),
  };
}

function seedOf(
  vertices: number,
  {
    boxes,
    seed,
    upper,
    lower,
    firstBend,
    bends,
  }: Pick<Structure, "boxes" | "upper" | "lower" | "firstBend" | "bends"> & { seed: Float64Array },
): Float64Array {
  const all = new Float64Array(vertices);
  all.set(seed.subarray(0, boxes));
  for (let edge = 0; edge < upper.length; edge += 1) {
    const [a, b] = [upper[edge]!, lower[edge]!];
    // Just after its source; the entry and the exit have no place of their own.
    const beside = (a < boxes ? seed[a]! : b < boxes ? seed[b]! : 0) + 0.5;
    for (let bend = 0; bend < bends[edge]!; bend += 1) all[firstBend[edge]! + bend] = beside;
  }
  return all;
}
