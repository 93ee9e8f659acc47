/** How good a trial is: its index on the colour ramp. */

import type { Goal } from "$public/tables";
import { finiteSorted, VALUE, type TrialColumn } from "./columns";

export interface Goodness {
  readonly column: TrialColumn;
  readonly goal: Goal;
  /** The values at the ends of the ramp. Worse than `worst` looks like `worst`. */
  readonly best: number;
  readonly worst: number;
  /** 0 to 255 of each row; 0 also where there is no value. */
  readonly of: Uint8Array;
}

/** The colour of trials while nobody has said what is good. */
export const UNJUDGED = 128;
/** A few runs that went astray must not take all the colours. */
const CLIPPED_SHARE = 0.05;

export function goodnessOf(column: TrialColumn, goal: Goal): Goodness {
  const sorted = finiteSorted(column);
  const last = sorted.length - 1;
  const clipped = Math.floor(last * CLIPPED_SHARE);
  const [best, worst] =
    last < 0 ? [NaN, NaN] : goal === "min" ? [sorted[0]!, sorted[last - clipped]!] : [sorted[last]!, sorted[clipped]!];
  const of = new Uint8Array(column.numbers.length);
  for (let row = 0; row < of.length; row += 1) {
    if (column.states[row] !== VALUE) continue;
    const share = best === worst ? 1 : (column.numbers[row]! - worst) / (best - worst);
    of[row] = Math.round(255 * Math.min(1, Math.max(0, share)));
  }
  return { column, goal, best, worst, of };
}

/** Rows from worst to best; those without a value first. Painted in this order, the best lie on top. */
export function worstFirst({ column, goal }: Goodness): Uint32Array {
  const { numbers, states } = column;
  const sign = goal === "min" ? -1 : 1;
  const key = (row: number): number => (states[row] === VALUE ? sign * numbers[row]! : -Infinity);
  return Uint32Array.from(numbers.keys()).sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
}
