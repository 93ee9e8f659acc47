/** How long steps wait for their input, in numbers. */

import { completeSteps } from "../steps";
import type { InputPipeline, Step } from "../wire";

export interface WaitSummary {
  readonly meanNs: number;
  /** Of the steps' time. */
  readonly share: number;
  /** Steps that wait at least a twentieth of their time. */
  readonly waiting: number;
  /** Of so many: those that the trace has whole. */
  readonly steps: number;
}

const WAITING_SHARE = 0.05;

export function summarizeWaits({ wait_ns_per_step: waits }: InputPipeline, steps: readonly Step[]): WaitSummary | null {
  if (waits.length === 0 || waits.length !== steps.length) return null;
  const complete = completeSteps(steps.map((step, index) => ({ ...step, wait: waits[index]! })));
  const sum = complete.reduce((total, { wait }) => total + wait, 0);
  const all = complete.reduce((total, { duration_ns }) => total + duration_ns, 0);
  const waiting = complete.filter(({ wait, duration_ns }) => wait >= WAITING_SHARE * duration_ns).length;
  return { meanNs: sum / complete.length, share: all > 0 ? sum / all : 0, waiting, steps: complete.length };
}

export const stepLabel = ({ number, name }: Step): string => (number === null ? name : String(number));
