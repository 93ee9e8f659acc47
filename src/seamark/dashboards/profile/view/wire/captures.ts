/** Which profiles there are, and what one has. */

import type { Steps } from "./overview";
import type { CounterEntry, Track } from "./trace_page";

export const SUB_TABS = [
  "overview",
  "trace",
  "operators",
  "kernels",
  "memory",
  "input",
  "modules",
  "distributed",
  "compile",
  "roofline",
  "compare",
] as const;

export type SubTab = (typeof SUB_TABS)[number];

export type State = "reading" | "ready" | "failed";

export interface HostEntry {
  readonly host: string;
  readonly bytes: number;
}

export interface CaptureEntry {
  readonly run: string;
  readonly name: string;
  /** seconds since 1970 */
  readonly time: number;
  readonly hosts: readonly HostEntry[];
  /** of a schedule that ended with the training */
  readonly is_remainder: boolean;
}

export interface Captures {
  /** by run, the newest first */
  readonly captures: readonly CaptureEntry[];
  readonly more: boolean;
}

/** While a trace is read for the first time. */
export interface ReadingState {
  readonly state: State;
  readonly bytes_read: number;
  readonly bytes_total: number;
  readonly problem: string;
}

export interface ProfileInfo {
  readonly origin_ns: number;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly slices: number;
  readonly bytes: number;
  readonly tracks: readonly Track[];
  readonly counters: readonly CounterEntry[];
  readonly steps: Steps;
  /** those that the trace has data for */
  readonly sub_tabs: readonly SubTab[];
  readonly problems: readonly string[];
}

/** Names one profile. */
export interface ProfileRef {
  readonly run: string;
  readonly capture: string;
  readonly host: string;
  /** Steps drawn by hand: "start-end,start-end"; "": those that were found. */
  readonly steps: string;
}
