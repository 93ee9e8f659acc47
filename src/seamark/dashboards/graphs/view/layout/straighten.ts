/** Makes long edges one straight line beside the boxes, where there is room for it. */

import type { Structure } from "./structure";

type Gap = (left: number, right: number) => number;

/** Changes `x` of bends only. */
export function straightenBends(structure: Structure, x: Float64Array, width: Float64Array, gap: Gap): void {
  const { rows, vertices, upper, lower, firstBend, bends } = structure;
  const position = new Int32Array(vertices);
  for (const row of rows) row.forEach((vertex, index) => (position[vertex] = index));
  const roomOf = (bend: number): [from: number, to: number] => {
    const row = rows[structure.rank[bend]!]!;
    const [left, right] = [row[position[bend]! - 1], row[position[bend]! + 1]];
    return [
      left === undefined ? -Infinity : x[left]! + width[left]! / 2 + gap(left, bend),
      right === undefined ? Infinity : x[right]! - width[right]! / 2 - gap(bend, right),
    ];
  };
  // A line that moved may have made room for another.
  for (let pass = 0; pass < 2; pass += 1)
    for (let edge = 0; edge < upper.length; edge += 1) {
      if (bends[edge]! < 1) continue;
      let [from, to] = [-Infinity, Infinity];
      for (let bend = firstBend[edge]!; bend < firstBend[edge]! + bends[edge]!; bend += 1) {
        const [least, most] = roomOf(bend);
        from = Math.max(from, least);
        to = Math.min(to, most);
      }
      if (from > to) continue;
      // Right below the source or right above the target, or as near to them as possible.
      const [a, b] = [x[upper[edge]!]!, x[lower[edge]!]!];
      const wanted = Math.max(Math.min(a, b), Math.min(Math.max(a, b), (from + to) / 2));
      const nearest = Math.max(from, Math.min(to, Number.isFinite(wanted) ? wanted : a));
      x.fill(nearest, firstBend[edge]!, firstBend[edge]! + bends[edge]!);
    }
}
