/** How long steps wait for their input, in numbers. */

import type { InputPipeline, Step } from "../wire";

export interface WaitSummary {
  readonly meanNs: number;
  /** Of the steps' time. */
  readonly share: number;
  /** Steps that wait at least a twentieth of their time. */
  readonly waiting: number;
}

const WAITING_SHARE = 0.05;

export function summarizeWaits({ wait_ns_per_step: waits }: InputPipeline, steps: readonly Step[]): WaitSummary | null {
  if (waits.length === 0 || waits.length !== steps.length) return null;
  const sum = waits.reduce((total, wait) => total + wait, 0);
  const all = steps.reduce((total, { duration_ns }) => total + duration_ns, 0);
  const waiting = waits.filter((wait, index) => wait >= WAITING_SHARE * steps[index]!.duration_ns).length;
  return { meanNs: sum / waits.length, share: all > 0 ? sum / all : 0, waiting };
}

export const stepLabel = ({ number, name }: Step): string => (number === null ? name : String(number));
