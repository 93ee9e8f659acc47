/** The order of the vertices of each row, with few crossings of edges. */

import { groupByEnd, type Adjacency } from "./adjacency";

interface Segments {
  readonly upper: Int32Array;
  readonly lower: Int32Array;
}

/** Vertices and segments that all sweeps together may visit. */
const MAX_VISITS = 1_500_000;
const MAX_SWEEPS = 12;

/** Begins with the order of `seed`, which stays unless another order has fewer crossings. */
export function orderRows(rank: Int32Array, segments: Segments, seed: Float64Array): Int32Array[] {
  const rows = seededRows(rank, seed);
  const below = groupByEnd(rank.length, segments.upper);
  const above = groupByEnd(rank.length, segments.lower);
  const position = new Float64Array(rank.length);
  const number = (row: Int32Array): void => row.forEach((vertex, index) => (position[vertex] = index));
  rows.forEach(number);
  const crossingsOf = (): number => countCrossings(rows, below, segments.lower, position);
  let best = rows.map((row) => row.slice());
  let fewest = crossingsOf();
  const sweeps = Math.min(MAX_SWEEPS, Math.floor(MAX_VISITS / (rank.length + segments.upper.length * 4 + 1)));
  for (let sweep = 0, idle = 0; sweep < sweeps && fewest > 0 && idle < 4; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const [fixed, ends] = isDown ? [above, segments.upper] : [below, segments.lower];
    const visited = isDown ? rows : rows.toReversed();
    for (const row of visited) {
      sortByNeighbours(row, fixed, ends, position);
      number(row);
    }
    const crossings = crossingsOf();
    idle = crossings < fewest ? 0 : idle + 1;
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = rows.map((row) => row.slice());
  }
  return best;
}

function seededRows(rank: Int32Array, seed: Float64Array): Int32Array[] {
  const lists: number[][] = [];
  rank.forEach((row, vertex) => {
    while (lists.length <= row) lists.push([]);
    lists[row]!.push(vertex);
  });
  return lists.map((list) => Int32Array.from(list.sort((a, b) => seed[a]! - seed[b]! || a - b)));
}

/** By the mean position of the neighbours in the row before; a vertex without any stays about where it is. */
function sortByNeighbours(
  row: Int32Array,
  { start, edges }: Adjacency,
  ends: Int32Array,
  position: Float64Array,
): void {
  if (row.length < 2) return;
  const keys = new Float64Array(row.length);
  // Positions of two rows compare only as shares of their sizes.
  let size = 1;
  for (const vertex of row)
    for (let at = start[vertex]!; at < start[vertex + 1]!; at += 1)
      size = Math.max(size, position[ends[edges[at]!]!]! + 1);
  row.forEach((vertex, index) => {
    const [first, end] = [start[vertex]!, start[vertex + 1]!];
    let sum = 0;
    for (let at = first; at < end; at += 1) sum += position[ends[edges[at]!]!]!;
    keys[index] = end === first ? (index / row.length) * size : sum / (end - first);
  });
  const order = Array.from(row, (_, index) => index).sort((a, b) => keys[a]! - keys[b]! || a - b);
  row.set(order.map((index) => row[index]!));
}

/** Of all pairs of adjacent rows, by counting inversions in a tree of sums. */
export function countCrossings(
  rows: readonly Int32Array[],
  below: Adjacency,
  lower: Int32Array,
  position: Float64Array,
): number {
  let crossings = 0;
  for (let index = 0; index + 1 < rows.length; index += 1) {
    const tree = new Int32Array(rows[index + 1]!.length + 1);
    let added = 0;
    for (const vertex of rows[index]!) {
      const [first, end] = [below.start[vertex]!, below.start[vertex + 1]!];
      for (let at = first; at < end; at += 1) {
        let left = 0;
        for (let node = position[lower[below.edges[at]!]!]! + 1; node > 0; node -= node & -node) left += tree[node]!;
        crossings += added - left;
      }
      for (let at = first; at < end; at += 1)
        for (let node = position[lower[below.edges[at]!]!]! + 1; node < tree.length; node += node & -node)
          tree[node]! += 1;
      added += end - first;
    }
  }
  return crossings;
}
