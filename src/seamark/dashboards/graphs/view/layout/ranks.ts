/** Which row each vertex is in: every edge points downwards, apart from those that close a cycle. */

import { connectedComponents, groupByEnd } from "./adjacency";

/** 1 for edges that close a cycle. There must be no self loops. */
export function findBackEdges(vertices: number, from: Int32Array, to: Int32Array): Uint8Array {
  const { start, edges } = groupByEnd(vertices, from);
  const isBack = new Uint8Array(from.length);
  const isEntered = new Uint8Array(vertices);
  const isOnPath = new Uint8Array(vertices);
  const next = start.slice(0, vertices);
  const path: number[] = [];
  // From vertices without inputs first: then a loop is cut where it closes, not where it begins.
  const hasInput = new Uint8Array(vertices);
  for (const vertex of to) hasInput[vertex] = 1;
  for (const wantsInput of [0, 1])
    for (let first = 0; first < vertices; first += 1) {
      if (isEntered[first] || hasInput[first] !== wantsInput) continue;
      path.push(first);
      isEntered[first] = isOnPath[first] = 1;
      while (path.length > 0) {
        const vertex = path[path.length - 1]!;
        if (next[vertex]! === start[vertex + 1]!) {
          isOnPath[vertex] = 0;
          path.pop();
          continue;
        }
        const edge = edges[next[vertex]!++]!;
        const target = to[edge]!;
        if (isOnPath[target]) isBack[edge] = 1;
        else if (!isEntered[target]) {
          isEntered[target] = isOnPath[target] = 1;
          path.push(target);
        }
      }
    }
  return isBack;
}

/** Ranks by longest path from the top; what only feeds something lower sits right above it. The edges have no cycles. */
export function assignRanks(vertices: number, from: Int32Array, to: Int32Array): Int32Array {
  const outputs = groupByEnd(vertices, from);
  const rank = new Int32Array(vertices);
  for (const vertex of topologicalOrder(vertices, to, outputs))
    for (let at = outputs.start[vertex]!; at < outputs.start[vertex + 1]!; at += 1) {
      const target = to[outputs.edges[at]!]!;
      rank[target] = Math.max(rank[target]!, rank[vertex]! + 1);
    }
  let rounds = MAX_ROUNDS;
  while (rounds > 0 && pullDown(rank, from, to)) rounds -= 1;
  let first = Infinity;
  for (const row of rank) first = Math.min(first, row);
  return rank.map((row) => row - first);
}

const MAX_ROUNDS = 12;

/**
 * Vertices whose edges cannot become shorter among themselves move together: down, if more edges leave them than enter,
 * by as much as those edges allow. Returns whether any moved.
 */
function pullDown(rank: Int32Array, from: Int32Array, to: Int32Array): boolean {
  const isTight = from.map((source, edge) => Number(rank[to[edge]!]! - rank[source]! === 1));
  const pick = (column: Int32Array): Int32Array => column.filter((_, edge) => isTight[edge] === 1);
  const cluster = connectedComponents(rank.length, pick(from), pick(to));
  const [balance, slack] = [new Int32Array(rank.length), new Int32Array(rank.length).fill(MAX_SLACK)];
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [cluster[from[edge]!]!, cluster[to[edge]!]!];
    if (a === b) continue;
    balance[a]! += 1;
    balance[b]! -= 1;
    slack[a] = Math.min(slack[a]!, rank[to[edge]!]! - rank[from[edge]!]! - 1);
  }
  let hasMoved = false;
  // All at once: what a cluster moves towards only moves down itself.
  for (let vertex = 0; vertex < rank.length; vertex += 1) {
    const own = cluster[vertex]!;
    if (balance[own]! <= 0 || slack[own]! === 0 || slack[own]! === MAX_SLACK) continue;
    rank[vertex]! += slack[own]!;
    hasMoved = true;
  }
  return hasMoved;
}

const MAX_SLACK = 2 ** 31 - 1;

export function topologicalOrder(
  vertices: number,
  to: Int32Array,
  outputs: { readonly start: Int32Array; readonly edges: Int32Array },
): Int32Array {
  const waiting = new Int32Array(vertices);
  for (const vertex of to) waiting[vertex]! += 1;
  const order = new Int32Array(vertices);
  let end = 0;
  for (let vertex = 0; vertex < vertices; vertex += 1) if (waiting[vertex] === 0) order[end++] = vertex;
  for (let next = 0; next < end; next += 1) {
    const vertex = order[next]!;
    for (let at = outputs.start[vertex]!; at < outputs.start[vertex + 1]!; at += 1) {
      const target = to[outputs.edges[at]!]!;
      waiting[target]! -= 1;
      if (waiting[target] === 0) order[end++] = target;
    }
  }
  return order.subarray(0, end);
}

/** Few boxes stay in one row; hundreds become a grid of about this many columns. */
const MAX_COLUMNS = 32;

/**
 * Splits rows of very many boxes into several, and removes empty ones. Returns 1 for each box of a split row; `rank` is
 * changed.
 */
export function wrapWideRows(rank: Int32Array): Uint8Array {
  const isWrapped = new Uint8Array(rank.length);
  let rows = 0;
  for (const row of rank) rows = Math.max(rows, row + 1);
  const size = new Int32Array(rows);
  for (const row of rank) size[row]! += 1;
  const columns = size.map((count) =>
    count <= MAX_COLUMNS ? count : Math.max(MAX_COLUMNS / 2, Math.ceil(Math.sqrt(count / 2))),
  );
  const first = new Int32Array(rows);
  for (let row = 1; row < rows; row += 1)
    first[row] = first[row - 1]! + (size[row - 1] === 0 ? 0 : Math.ceil(size[row - 1]! / columns[row - 1]!));
  const seen = new Int32Array(rows);
  for (let vertex = 0; vertex < rank.length; vertex += 1) {
    const row = rank[vertex]!;
    isWrapped[vertex] = size[row]! > columns[row]! ? 1 : 0;
    rank[vertex] = first[row]! + Math.floor(seen[row]!++ / columns[row]!);
  }
  return isWrapped;
}
