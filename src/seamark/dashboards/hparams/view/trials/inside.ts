/** What the trials inside the brush have in common, beside the others. */

import { VALUE, type TrialColumn } from "../columns/columns";
import { worstFirst, type Goodness } from "../columns/goodness";

export interface Part {
  readonly count: number;
  readonly mean: number;
}

/** The mean over the rows that are (or are not) inside and have a value; NaN without any. */
export function meanWhere({ numbers, states }: TrialColumn, inside: Uint8Array, wanted: 0 | 1): Part {
  let [count, sum] = [0, 0];
  for (let row = 0; row < inside.length; row += 1) {
    if (inside[row] !== wanted || states[row] !== VALUE) continue;
    count += 1;
    sum += numbers[row]!;
  }
  return { count, mean: count === 0 ? NaN : sum / count };
}

/** The best trials, best first. */
export function topRows(goodness: Goodness, limit: number): number[] {
  const { states } = goodness.column;
  return [...worstFirst(goodness)]
    .reverse()
    .filter((row) => states[row] === VALUE)
    .slice(0, limit);
}

/** The row that reached the goal best, of those inside; null when none has a value. */
export function bestRow({ column: { numbers, states }, goal }: Goodness, inside?: Uint8Array): number | null {
  let best: number | null = null;
  for (let row = 0; row < numbers.length; row += 1) {
    if (states[row] !== VALUE || inside?.[row] === 0) continue;
    if (best === null || (goal === "min" ? numbers[row]! < numbers[best]! : numbers[row]! > numbers[best]!)) best = row;
  }
  return best;
}

export interface Bins {
  readonly from: number;
  readonly to: number;
  readonly all: Uint32Array;
  readonly inside: Uint32Array;
}

/** Counts from the best to the worst value of the ramp; what lies beyond is in the last bin. */
export function binsOf({ column, best, worst }: Goodness, inside: Uint8Array, count: number): Bins {
  const [from, to] = best <= worst ? [best, worst] : [worst, best];
  const all = new Uint32Array(count);
  const within = new Uint32Array(count);
  for (let row = 0; row < inside.length; row += 1) {
    if (column.states[row] !== VALUE) continue;
    const share = to === from ? 0.5 : (column.numbers[row]! - from) / (to - from);
    const bin = Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    all[bin]! += 1;
    within[bin]! += inside[row]!;
  }
  return { from, to, all, inside: within };
}
