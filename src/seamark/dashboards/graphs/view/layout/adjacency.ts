/** The edges at each vertex, as columns. */

export interface Adjacency {
  /** The edges of vertex v are edges[start[v]] to edges[start[v + 1] - 1]. */
  readonly start: Int32Array;
  readonly edges: Int32Array;
}

/** Groups edges by one of their ends, in the order of the edges. */
export function groupByEnd(vertices: number, end: Int32Array): Adjacency {
  const start = new Int32Array(vertices + 1);
  for (const vertex of end) start[vertex + 1]! += 1;
  for (let vertex = 0; vertex < vertices; vertex += 1) start[vertex + 1]! += start[vertex]!;
  const next = start.slice(0, vertices);
  const edges = new Int32Array(end.length);
  for (let edge = 0; edge < end.length; edge += 1) edges[next[end[edge]!]!++] = edge;
  return { start, edges };
}

/** The lowest vertex of each connected component, by vertex. */
export function connectedComponents(vertices: number, from: Int32Array, to: Int32Array): Int32Array {
  const root = Int32Array.from({ length: vertices }, (_, vertex) => vertex);
  const find = (vertex: number): number => {
    while (root[vertex] !== vertex) vertex = root[vertex] = root[root[vertex]!]!;
    return vertex;
  };
  for (let edge = 0; edge < from.length; edge += 1) {
    const [a, b] = [find(from[edge]!), find(to[edge]!)];
    if (a !== b) root[Math.max(a, b)] = Math.min(a, b);
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) root[vertex] = find(vertex);
  return root;
}
