/** Memory. */

export interface MemoryCurve {
  /** "GPU 0", "CPU" */
  readonly name: string;
  readonly allocator: string;
  readonly times_ns: readonly number[];
  readonly allocated: readonly number[];
  readonly reserved: readonly number[] | null;
  readonly peak_bytes: number;
  readonly peak_ns: number;
  readonly limit_bytes: number | null;
}

/** What holds memory at the peak. */
export interface MemoryRow {
  readonly device: string;
  readonly operator: string;
  readonly shape: string;
  readonly bytes: number;
  readonly allocated_ns: number;
  /** None: never freed in the trace */
  readonly freed_ns: number | null;
  readonly slice: number;
}

export interface MemoryOperatorRow {
  readonly device: string;
  readonly operator: string;
  readonly calls: number;
  /** by all calls */
  readonly allocated_bytes: number;
  /** never freed in the trace */
  readonly self_increase_bytes: number;
  /** alive at the peak */
  readonly peak_bytes: number;
}

export interface LeakCandidate {
  readonly device: string;
  readonly operator: string;
  readonly bytes_per_step: number;
  readonly allocations_per_step: number;
  readonly steps: number;
  readonly slices: readonly number[];
}

export interface Memory {
  readonly curves: readonly MemoryCurve[];
  readonly at_peak: readonly MemoryRow[];
  readonly operators: readonly MemoryOperatorRow[];
  readonly leaks: readonly LeakCandidate[];
  /** at the peak: 1 - allocated / reserved */
  readonly fragmentation: number | null;
  readonly notes: readonly string[];
}
