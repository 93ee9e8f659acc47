/** Where compilations are along the trace. */

import type { Compilation, Step } from "../wire";

interface Place {
  readonly leftPercent: number;
  readonly widthPercent: number;
}

export interface TimelineBlock extends Place {
  readonly title: string;
}

/** As shares of the trace. */
export function placed(
  { start_ns, duration_ns }: Pick<Compilation | Step, "start_ns" | "duration_ns">,
  start: number,
  end: number,
): Place {
  const whole = Math.max(1, end - start);
  return { leftPercent: (100 * (start_ns - start)) / whole, widthPercent: (100 * duration_ns) / whole };
}

export const stepBlocks = (steps: readonly Step[], start: number, end: number): readonly TimelineBlock[] =>
  steps.map((step) => ({ ...placed(step, start, end), title: step.name }));

/** "4 compilations inside steps"; without steps nothing can be said. */
export function recompileText(recompiles: number, steps: number): string {
  if (steps === 0) return "";
  if (recompiles === 0) return "No compilation inside steps.";
  return recompiles === 1 ? "1 compilation inside a step." : `${recompiles} compilations inside steps.`;
}
