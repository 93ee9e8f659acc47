/** Overview: steps with their parts, and the numbers that matter. */

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

export type BreakdownPart = (typeof BREAKDOWN_PARTS)[number];

export type Breakdown = Readonly<Partial<Record<BreakdownPart, number>>>;

export type StepSource =
  | "profiler_step"
  | "root"
  | "step_num"
  | "trace_context"
  | "step_marker"
  | "optimizer"
  | "data_loader"
  | "repetition"
  | "drawn"
  | "tables"
  | "none";

export interface Step {
  readonly name: string;
  readonly number: number | null;
  readonly start_ns: number;
  readonly duration_ns: number;
  /** "recompiled" */
  readonly note: string;
}

export interface Steps {
  readonly steps: readonly Step[];
  readonly source: StepSource;
  /** how they were found: "steps from ProfilerStep#N" */
  readonly text: string;
}

/** One step: the parts of BREAKDOWN_PARTS in nanoseconds; they sum to its duration. */
export interface StepBreakdown {
  readonly name: string;
  readonly number: number | null;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly breakdown: Breakdown;
  readonly note: string;
}

/** Shares of the steps' time, between 0 and 1; None without a device. */
export interface Utilization {
  readonly device_compute: number | null;
  readonly device_any: number | null;
  readonly sm_efficiency: number | null;
  readonly occupancy: number | null;
  /** of the kernels' time */
  readonly tensor_cores: number | null;
  readonly host_cpu: number | null;
  readonly exposed_communication_ns: number | null;
  readonly communication_ns: number | null;
}

export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string;
}

/** The five numbers of the overview; None: n/a, and `reasons` says why. */
export interface Headline {
  readonly step_mean_ns: number | null;
  readonly step_p5_ns: number | null;
  readonly step_p95_ns: number | null;
  readonly step_deviation_ns: number | null;
  readonly input_share: number | null;
  readonly peak_memory_bytes: number | null;
  readonly memory_limit_bytes: number | null;
  readonly peak_memory_at: string;
  readonly reasons: Readonly<Record<string, string>>;
}

/** What a stream waits for between its first and its last slice. */
export interface StreamIdle {
  readonly stream: string;
  readonly device: number;
  readonly busy_ns: number;
  readonly host_wait_ns: number;
  readonly kernel_wait_ns: number;
  readonly other_wait_ns: number;
}

export interface Overview {
  readonly steps: readonly StepBreakdown[];
  readonly source: StepSource;
  readonly steps_text: string;
  readonly mean: Breakdown;
  readonly headline: Headline;
  readonly utilization: Utilization;
  readonly environment: readonly EnvironmentEntry[];
  readonly streams: readonly StreamIdle[];
  readonly notes: readonly string[];
}

/** The busy intervals of one resource in one step. */
export interface ResourceStrip {
  /** input, host_launch, device_compute, copies, collectives, device_idle */
  readonly name: string;
  readonly busy_ns: number;
  /** relative to the step */
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  readonly activities: readonly number[];
}

export interface StepStrip {
  readonly step: Step;
  readonly strips: readonly ResourceStrip[];
  readonly idle_ns: number;
  readonly idle_waiting_input_ns: number;
  readonly host_wait_ns: number;
  readonly kernel_wait_ns: number;
  readonly other_wait_ns: number;
}
