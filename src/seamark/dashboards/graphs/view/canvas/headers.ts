/** Headers of open groups: which edges cross them, and where their texts have room between the lines. */

import { HEADER_PX } from "../layout/types";
import type { Scene } from "./scene";

/** Between a line and a text. */
const BESIDE_PX = 7;

/** By open group: where edges that lead into it cross its header, from the left. */
export function headerLinesOf({
  graph,
  layout,
}: Pick<Scene, "graph" | "layout">): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, Set<number>>();
  const { boxes, edges } = graph;
  const { rects, points, pointStarts } = layout;
  const crossed = (group: number, edge: number): void => {
    const top = rects[4 * group + 1]!;
    for (let at = pointStarts[edge]! + 1; at < pointStarts[edge + 1]!; at += 1) {
      const [x0, y0, x1, y1] = points.subarray(2 * at - 2, 2 * at + 2) as unknown as [number, number, number, number];
      if (Math.min(y0, y1) >= top + HEADER_PX || Math.max(y0, y1) <= top) continue;
      const lines = found.get(group) ?? new Set();
      found.set(group, lines.add(Math.round(x0)).add(Math.round(x1)));
    }
  };
  edges.source.forEach((source, edge) => {
    const target = edges.target[edge]!;
    // Drawn only while one of their ends is selected.
    if (boxes.is_aside[source] || boxes.is_aside[target]) return;
    for (const end of [source, target])
      for (let group = boxes.parent[end]!; group >= 0; group = boxes.parent[group]!) crossed(group, edge);
  });
  return new Map([...found].map(([group, lines]) => [group, [...lines].sort((a, b) => a - b)]));
}

/** The first place from `left` on where a text has its room before the next line, or before `right`; null for none. */
export function placeBetween(
  lines: readonly number[],
  { left, right, width }: { readonly left: number; readonly right: number; readonly width: number },
): number | null {
  for (const start of [left, ...lines.map((x) => x + BESIDE_PX).filter((x) => x > left)]) {
    const isFree = !lines.some((x) => x > start - BESIDE_PX && x < start + width + BESIDE_PX);
    if (isFree) return start + width <= right ? start : null;
  }
  return null;
}
