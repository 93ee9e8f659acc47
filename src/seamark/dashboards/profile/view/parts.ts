/** What the parts of a step and the activities of slices are called, and their colours: the same on every sub-tab. */

import { ACTIVITY, type BreakdownPart } from "./wire";

export interface PartStyle {
  readonly label: string;
  /** The design token behind the `--profile-…` property, for what is drawn on a canvas. */
  readonly token: string;
  /** As CSS takes it. */
  readonly colour: string;
}

const style = (label: string, property: string, token: string): PartStyle => ({
  label,
  token,
  colour: `var(--profile-${property})`,
});

export const PART_STYLES: Readonly<Record<BreakdownPart, PartStyle>> = {
  device_compute_16: style("Device compute, 16-bit", "compute-16", "--run-1"),
  device_compute_32: style("Device compute, 32-bit", "compute-32", "--run-4"),
  collectives: style("Collectives, exposed", "collectives", "--run-7"),
  host_device_copies: style("Host ↔ device", "copies", "--run-6"),
  input: style("Input", "input", "--run-2"),
  host_compute: style("Host compute", "host", "--run-11"),
  compile: style("Compile", "compile", "--run-3"),
  idle: style("Idle", "idle", "--line-2"),
  other: style("Other", "other", "--text-3"),
};

/** Which part an activity has the colour of, and what it is called in tables. */
const ACTIVITIES: Readonly<Record<number, readonly [BreakdownPart, string]>> = {
  [ACTIVITY.OTHER]: ["other", "other"],
  [ACTIVITY.HOST_OP]: ["host_compute", "host"],
  [ACTIVITY.PYTHON]: ["host_compute", "Python"],
  [ACTIVITY.ANNOTATION]: ["other", "phase"],
  [ACTIVITY.MODULE]: ["host_compute", "module"],
  [ACTIVITY.RUNTIME]: ["host_compute", "launch"],
  [ACTIVITY.SYNC]: ["idle", "wait"],
  [ACTIVITY.KERNEL_16]: ["device_compute_16", "compute, 16-bit"],
  [ACTIVITY.KERNEL_32]: ["device_compute_32", "compute, 32-bit"],
  [ACTIVITY.COPY]: ["host_device_copies", "copy"],
  [ACTIVITY.COLLECTIVE]: ["collectives", "collective"],
  [ACTIVITY.INPUT]: ["input", "input"],
  [ACTIVITY.COMPILE]: ["compile", "compile"],
  [ACTIVITY.STEP]: ["other", "step"],
  [ACTIVITY.DEVICE_ANNOTATION]: ["other", "phase"],
};

const entryOf = (activity: number): readonly [BreakdownPart, string] =>
  ACTIVITIES[activity] ?? ACTIVITIES[ACTIVITY.OTHER]!;

export const activityStyle = (activity: number): PartStyle => PART_STYLES[entryOf(activity)[0]];

/** "compute, 16-bit", "collective" … */
export const activityLabel = (activity: number): string => entryOf(activity)[1];
