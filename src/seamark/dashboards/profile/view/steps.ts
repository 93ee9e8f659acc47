/** Which steps count: those that the trace has whole. */

import type { Step } from "./wire";

/** The note of a step that the end of the trace cuts off. */
const INCOMPLETE = "incomplete";

/** How many steps sums are divided by; 0 if there are none. */
export const countComplete = (steps: readonly Pick<Step, "note">[]): number =>
  steps.filter(({ note }) => note !== INCOMPLETE).length || steps.length;
