/** Trace: tracks, counters, windows, one slice, an area. */

export type TrackType = "thread" | "stream" | "line" | "async";

/** A thread, a stream of a device, or a line of an XPlane. */
export interface Track {
  /** its position in Trace.tracks */
  readonly id: number;
  readonly type: TrackType;
  readonly name: string;
  /** the name of the process or device above it */
  readonly process: string;
  readonly pid: string;
  readonly tid: string;
  /** a GPU, a TPU, … */
  readonly is_device: boolean;
  /** of a device: its number; else -1 */
  readonly device: number;
  /** "rank 0" or the host's name if the trace has several; else "" */
  readonly host: string;
  readonly first_row: number;
  /** how deep its slices nest */
  readonly rows: number;
  readonly slices: number;
  readonly sort_key: number;
}

/** A number over time. */
export interface CounterEntry {
  readonly id: number;
  /** "GPU 0 memory: allocated" */
  readonly name: string;
  readonly process: string;
  /** "bytes", "" … */
  readonly unit: string;
  readonly points: number;
  /** What the device has; null: not known. */
  readonly limit: number | null;
}

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

export interface SliceArgument {
  readonly name: string;
  readonly value: string;
}

export interface SliceLink {
  /** "launched by", "launches", "operator", "forward", "backward", "waits for", "awaited by" */
  readonly relation: string;
  readonly slice: number;
  readonly name: string;
  readonly track: number;
  readonly start_ns: number;
}

export interface SliceDetails {
  readonly slice: number;
  readonly name: string;
  readonly category: string;
  readonly activity: number;
  readonly track: number;
  readonly row: number;
  readonly depth: number;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly self_ns: number;
  readonly step: string;
  readonly parent: number;
  /** how many slices have this name */
  readonly same_name: number;
  readonly arguments: readonly SliceArgument[];
  /** outermost first */
  readonly stack: readonly string[];
  readonly links: readonly SliceLink[];
}

export interface AreaRow {
  readonly name: string;
  readonly activity: number;
  /** -1: several */
  readonly track: number;
  readonly count: number;
  /** inside the area */
  readonly total_ns: number;
  readonly self_ns: number;
  readonly longest: number;
}

export interface Area {
  readonly rows: readonly AreaRow[];
  readonly total_ns: number;
  readonly count: number;
  readonly tracks: number;
  /** tracks overlap: the total exceeds the area */
  readonly overlaps: boolean;
  readonly device_idle_ns: number | null;
}
