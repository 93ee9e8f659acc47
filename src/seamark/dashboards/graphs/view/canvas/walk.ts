/** Where the arrow keys go from a box: along edges up and down, to siblings left and right. */

import type { Scene } from "./scene";

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

export const isDirection = (key: string): key is Direction => /^Arrow(Up|Down|Left|Right)$/.test(key);

/** The next box, or -1. Of several inputs or outputs the nearest along x comes first. */
export function walk(scene: Scene, box: number, direction: Direction): number {
  if (direction === "ArrowLeft" || direction === "ArrowRight") return sibling(scene, box, direction === "ArrowRight");
  const { edges, boxes } = scene.graph;
  const [from, to] = direction === "ArrowUp" ? [edges.target, edges.source] : [edges.source, edges.target];
  const next = to.filter((other, edge) => other !== box && isInside(boxes.parent, from[edge]!, box) && !isInside(boxes.parent, other, box)); // prettier-ignore
  return nearest(scene, box, next);
}

/** An open group stands for all that is in it. */
function isInside(parent: readonly number[], box: number, group: number): boolean {
  for (let at = box; at >= 0; at = parent[at]!) if (at === group) return true;
  return false;
}

function sibling(scene: Scene, box: number, isRight: boolean): number {
  const { parent } = scene.graph.boxes;
  const { rects } = scene.layout;
  const [middle, bottom] = [rects[4 * box]! + rects[4 * box + 2]! / 2, rects[4 * box + 1]! + rects[4 * box + 3]!];
  let [best, least] = [-1, Infinity];
  parent.forEach((group, other) => {
    if (group !== parent[box] || other === box) return;
    const distance = (rects[4 * other]! + rects[4 * other + 2]! / 2 - middle) * (isRight ? 1 : -1);
    const isBeside =
      rects[4 * other + 1]! < bottom && rects[4 * other + 1]! + rects[4 * other + 3]! > rects[4 * box + 1]!;
    if (distance <= 0 || distance >= least || !isBeside) return;
    [best, least] = [other, distance];
  });
  return best;
}

function nearest({ layout: { rects } }: Scene, box: number, others: readonly number[]): number {
  const middle = (each: number): number => rects[4 * each]! + rects[4 * each + 2]! / 2;
  return others.reduce(
    (best, other) =>
      best < 0 || Math.abs(middle(other) - middle(box)) < Math.abs(middle(best) - middle(box)) ? other : best,
    -1,
  );
}
