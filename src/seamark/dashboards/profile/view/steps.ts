/** Which steps count: those that the trace has whole. */

import type { Step } from "./wire";

/** The note of a step that the end of the trace cuts off. */
const INCOMPLETE = "incomplete";

/** The steps that means are taken over: all but incomplete ones, if there are others. */
export function completeSteps<S extends Pick<Step, "note">>(steps: readonly S[]): readonly S[] {
  const complete = steps.filter(({ note }) => note !== INCOMPLETE);
  return complete.length > 0 ? complete : steps;
}

/** How many steps sums are divided by; 0 if there are none. */
export const countComplete = (steps: readonly Pick<Step, "note">[]): number => completeSteps(steps).length;
