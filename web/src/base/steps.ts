/** Which entry of an ascending list of steps a step means. */

import { upperBound } from "./binary_search";

/** The last one at or before `step`; the first when all come later; −1 of none. */
export function atOrBefore(steps: ArrayLike<number>, step: number): number {
  return steps.length === 0 ? -1 : Math.max(0, upperBound(steps, step) - 1);
}

/** The one that lies nearest; of two equally near, the earlier; −1 of none. */
export function nearest(steps: ArrayLike<number>, step: number): number {
  const before = atOrBefore(steps, step);
  const after = before + 1;
  if (before < 0 || after >= steps.length) return before;
  return steps[after]! - step < Math.abs(step - steps[before]!) ? after : before;
}

/** Every step that one of the lists has, once, ascending. */
export function unionOf(lists: readonly ArrayLike<number>[]): number[] {
  const all = new Set<number>();
  for (const list of lists) for (let index = 0; index < list.length; index += 1) all.add(list[index]!);
  return [...all].sort((a, b) => a - b);
}
