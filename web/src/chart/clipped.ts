/** What a chart says of the values that its y range leaves out. */

import { counted } from "../base/format";
import type { Clipped } from "./domain";
import type { Limits } from "./gesture";
import { between, type Range, type Scale } from "./scale";

export interface ClippedNote {
  readonly edge: "top" | "bottom";
  readonly words: string;
  /** Why a click cannot bring it into view. */
  readonly reason?: string;
}

export function clippedNotes({ above, below, unplaceable }: Clipped, noun: string): ClippedNote[] {
  const notes: ClippedNote[] = [];
  if (above > 0) notes.push({ edge: "top", words: `${counted(above, noun)} above` });
  if (below > 0) notes.push({ edge: "bottom", words: `${counted(below, noun)} below` });
  if (unplaceable > 0)
    notes.push({
      edge: "bottom",
      words: `${counted(unplaceable, noun)} at 0 or below`,
      reason: "A log axis has no place for zero and negative values: choose symlog or linear",
    });
  return notes;
}

const AIR = 0.05;

/** The limits that bring the values beyond one edge into view; the other edge stays. */
export function limitsToShow(
  edge: ClippedNote["edge"],
  { y, whole, scale, limits }: { y: Range; whole: Range; scale: Scale; limits: Limits },
): Limits {
  const reach = edge === "top" ? { from: y.from, to: whole.to } : { from: whole.from, to: y.to };
  const end = between(scale, reach, edge === "top" ? 1 + AIR : -AIR);
  return { x: limits.x, y: edge === "top" ? { from: y.from, to: end } : { from: end, to: y.to } };
}
