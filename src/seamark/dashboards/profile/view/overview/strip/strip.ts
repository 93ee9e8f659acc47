/** One step by resource: where its busy intervals are, in pixels. */

import { completeSteps } from "../../steps";
import { ACTIVITY, type ResourceStrip, type Step, type StepStrip } from "../../wire";

export const ROW_PX = 16;
export const LABEL_PX = 112;
export const NUMBER_PX = 76;
/** Shorter idle time is listed in the sum, and not tinted. */
const MIN_TINT_PX = 2;

export const ROW_LABELS: Readonly<Record<string, string>> = {
  input: "Input",
  host_launch: "Host launch",
  device_compute: "Device compute",
  copies: "Copies",
  collectives: "Collectives",
  device_idle: "Device idle",
};

const ROW_ACTIVITIES: Readonly<Record<string, number>> = {
  input: ACTIVITY.INPUT,
  host_launch: ACTIVITY.HOST_OP,
  device_compute: ACTIVITY.KERNEL_16,
  copies: ACTIVITY.COPY,
  collectives: ACTIVITY.COLLECTIVE,
};

export interface Segment {
  readonly x: number;
  readonly width: number;
  readonly activity: number;
}

export const isIdleRow = (strip: ResourceStrip): boolean => strip.name === "device_idle";

/** Intervals of one activity that are less than half a pixel apart are one. */
export function segmentsOf(strip: ResourceStrip, durationNs: number, widthPx: number): Segment[] {
  const perNs = widthPx / Math.max(1, durationNs);
  const segments: { x: number; width: number; activity: number }[] = [];
  for (let index = 0; index < strip.starts.length; index += 1) {
    const activity = strip.activities[index] ?? ROW_ACTIVITIES[strip.name] ?? ACTIVITY.OTHER;
    const x = strip.starts[index]! * perNs;
    const right = x + strip.durations[index]! * perNs;
    const last = segments.at(-1);
    if (last && last.activity === activity && x - (last.x + last.width) < 0.5)
      last.width = Math.max(last.width, right - last.x);
    else segments.push({ x, width: right - x, activity });
  }
  return segments.map((segment) => ({ ...segment, width: Math.max(1, segment.width) }));
}

/** Where idle time of the device is long enough to be seen. */
export function idleTints({ strips, step }: StepStrip, widthPx: number): Segment[] {
  const idle = strips.find(isIdleRow);
  return idle ? segmentsOf(idle, step.duration_ns, widthPx).filter(({ width }) => width >= MIN_TINT_PX) : [];
}

/** The position of the step, among those of the mean, whose duration is nearest to it; -1 without steps. */
export function typicalStep(steps: readonly Pick<Step, "duration_ns" | "note">[], meanNs: number): number {
  let nearest: (typeof steps)[number] | undefined;
  for (const step of completeSteps(steps))
    if (!nearest || Math.abs(step.duration_ns - meanNs) < Math.abs(nearest.duration_ns - meanNs)) nearest = step;
  return nearest ? steps.indexOf(nearest) : -1;
}
