/** Input pipeline. */

export interface InputStage {
  readonly name: string;
  /** position in stages, -1 for the root */
  readonly parent: number;
  readonly calls: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly max_ns: number | null;
  /** longer than 50 µs */
  readonly slow_calls: number | null;
  readonly is_bottleneck: boolean;
  readonly longest: number;
}

export interface InputPipeline {
  readonly stages: readonly InputStage[];
  readonly wait_ns_per_step: readonly number[];
  /** edges of the histogram */
  readonly wait_bins_ns: readonly number[];
  readonly wait_counts: readonly number[];
  readonly workers: number | null;
  readonly advice: readonly string[];
  readonly notes: readonly string[];
}
