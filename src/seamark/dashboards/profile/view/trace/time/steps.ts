/** Which step is looked at, and how long steps are. */

import type { Span } from "../../load";
import { completeSteps } from "../../steps";
import type { Step } from "../../wire";

/** A step is looked at if it takes this part of the window. */
const CURRENT_SHARE = 0.35;

/** The position of the step that takes the largest part of the window; -1: the window shows many, or none. */
export function currentStepOf(steps: readonly Step[], span: Span): number {
  const at = nearestStep(steps, (span.start + span.end) / 2);
  const step = steps[at];
  if (!step) return -1;
  const part = Math.min(step.start_ns + step.duration_ns, span.end) - Math.max(step.start_ns, span.start);
  return part >= (span.end - span.start) * CURRENT_SHARE ? at : -1;
}

/** The position of the step whose middle is nearest; -1 without steps. */
export function nearestStep(steps: readonly Step[], time: number): number {
  let [best, least] = [-1, Infinity];
  for (let at = 0; at < steps.length; at += 1) {
    const distance = Math.max(steps[at]!.start_ns - time, time - steps[at]!.start_ns - steps[at]!.duration_ns, 0);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

export function meanStepNs(steps: readonly Step[]): number | null {
  const complete = completeSteps(steps);
  return complete.length < 2 ? null : complete.reduce((sum, { duration_ns }) => sum + duration_ns, 0) / complete.length;
}
