/** What a pointer holds on an axis: a new range, an end of one, or all of it. */

import type { ParallelAxis } from "../axes/axes";
import type { Condition } from "$public/tables";

export interface Grip {
  readonly kind: "new" | "end" | "whole";
  /** Where the pointer went down. */
  readonly start: number;
  /** Picked on this axis beside what is held. */
  readonly others: readonly Condition[];
  /** Of a held range: its places; of one of its ends, the other end twice. */
  readonly held: readonly [number, number];
}

export interface Reach {
  /** How near to an end a pointer must be, as a share of the axis. */
  readonly end: number;
}

export function gripAt(
  axis: ParallelAxis,
  picks: readonly Condition[],
  at: number,
  { end }: Reach,
  adds: boolean,
): Grip {
  if (!adds) {
    for (const [index, pick] of picks.entries()) {
      const span = axis.spanOf(pick);
      if (!span || at < span[0] - end || at > span[1] + end) continue;
      const others = picks.filter((_, other) => other !== index);
      if (Math.abs(at - span[0]) <= end) return { kind: "end", start: at, others, held: [span[1], span[1]] };
      if (Math.abs(at - span[1]) <= end) return { kind: "end", start: at, others, held: [span[0], span[0]] };
      return { kind: "whole", start: at, others, held: span };
    }
  }
  return { kind: "new", start: at, others: adds ? picks : [], held: [at, at] };
}

/** A press that hardly moved is a click. */
export const isClick = ({ start }: Grip, at: number, { end }: Reach): boolean => Math.abs(at - start) < end * 0.6;

export function dragged(axis: ParallelAxis, { kind, start, others, held: [low, high] }: Grip, at: number): Condition[] {
  if (kind !== "whole") return [...others, ...axis.picksBetween(Math.min(low, at), Math.max(low, at))];
  const by = Math.max(-low, Math.min(1 - high, at - start));
  return [...others, ...axis.picksBetween(low + by, high + by)];
}

/** A click on the axis takes its brush away; a click with Shift changes nothing. */
export const clicked = ({ kind, others }: Grip, adds: boolean, picks: readonly Condition[]): readonly Condition[] =>
  adds ? picks : kind === "new" ? [] : others;

/** A mark below the axis is picked and let go by clicks; with Shift, beside what is there. */
export function toggled(picks: readonly Condition[], mark: Condition, adds: boolean): Condition[] {
  if (picks.includes(mark)) return picks.filter((pick) => pick !== mark);
  return adds ? [...picks, mark] : [mark];
}
