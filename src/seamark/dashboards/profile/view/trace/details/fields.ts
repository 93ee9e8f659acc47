/** What is said about a slice: times, then its arguments. */

import type { SliceDetails, Track } from "../../wire";
import { timeText } from "../../numbers";

export interface DetailField {
  readonly name: string;
  readonly value: string;
}

export const relationTitle = (relation: string): string => relation.charAt(0).toUpperCase() + relation.slice(1);

/** "kernel, stream 7" */
export const slicePlace = ({ category, track }: SliceDetails, tracks: readonly Track[]): string =>
  [category, tracks[track]?.name.trim() ?? ""].filter((part) => part !== "").join(", ");

/** `zero`: what the start counts from, the start of a step or of the capture. */
export function timeFields(details: SliceDetails, zero: number): DetailField[] {
  const launch = details.links.find(({ relation }) => relation === "launched by");
  const fields = [
    { name: "Start", value: timeText(details.start_ns - zero, 6) },
    { name: "Duration", value: timeText(details.duration_ns) },
    ...(launch ? [{ name: "Queued", value: `${timeText(details.start_ns - launch.start_ns)} after launch` }] : []),
    ...(details.step ? [{ name: "Step", value: details.step }] : []),
  ];
  const hasChildren = details.self_ns !== details.duration_ns;
  return hasChildren ? [...fields, { name: "Self", value: timeText(details.self_ns) }] : fields;
}

const MAX_SHORT = 28;
/** Arguments in two columns if they are short, else on a line of their own. */
export const isShort = ({ name, value }: DetailField): boolean => value.length <= MAX_SHORT && name.length <= 20;
