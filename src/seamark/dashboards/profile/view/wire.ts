/**
 * What the routes of Profile send, with the names that the view has for it. Times are nanoseconds since the origin of
 * the trace. Columns of numbers and ACTIVITY are not in the description: they are the same as in Python.
 */

import type * as Wire from "./wire_types";

export type * from "./wire_types";
export type Captures = Wire.CapturesResponse;
/** While a trace is read for the first time. */
export type ReadingState = Wire.StateResponse;
export type State = ReadingState["state"];
export type ProfileInfo = Wire.InfoResponse;
export type SubTab = ProfileInfo["sub_tabs"][number];
export type TrackType = Wire.Track["type"];
export type StepSource = Wire.Steps["source"];
/** Nanoseconds of a step by part. */
export type Breakdown = Readonly<Partial<Record<BreakdownPart, number>>>;
export type BreakdownPart = (typeof BREAKDOWN_PARTS)[number];
/** Names one profile. `steps`: those drawn by hand, "start-end,start-end"; "": those that were found. */
export type ProfileRef = Required<Wire.ProfileParameters>;

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
] as const satisfies readonly SubTab[];

export const BREAKDOWN_PARTS = [
  "device_compute_16",
  "device_compute_32",
  "collectives",
  "host_device_copies",
  "input",
  "host_compute",
  "compile",
  "idle",
  "other",
] as const;

/** What a slice does: the same numbers as in seamark/profiles/activity.py. */
export const ACTIVITY = {
  OTHER: 0,
  HOST_OP: 1,
  PYTHON: 2,
  ANNOTATION: 3,
  MODULE: 4,
  RUNTIME: 5,
  SYNC: 6,
  KERNEL_16: 7,
  KERNEL_32: 8,
  COPY: 9,
  COLLECTIVE: 10,
  INPUT: 11,
  COMPILE: 12,
  STEP: 13,
  DEVICE_ANNOTATION: 14,
} as const;

/** Slices of a window; a block of slices that are narrower than a pixel has a count above 1. */
export interface TraceWindow {
  readonly row: Int32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly name: Uint32Array;
  readonly activity: Uint8Array;
  /** The slice, or the longest one of the block. */
  readonly slice: Uint32Array;
  readonly count: Uint32Array;
}

export interface CounterWindow {
  readonly time: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
}

export interface Matches {
  readonly total: number;
  /** The longest slice that matches; -1: none. */
  readonly longest: number;
  readonly slice: Uint32Array;
  readonly row: Int32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
}

export interface Flows {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly from_row: Int32Array;
  readonly to_row: Int32Array;
  readonly from_time: Float64Array;
  readonly to_time: Float64Array;
}
