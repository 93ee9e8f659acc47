/** Kernels. */

export interface KernelRow {
  readonly name: string;
  readonly operator: string;
  readonly activity: number;
  readonly calls: number;
  readonly total_ns: number;
  readonly mean_ns: number;
  readonly min_ns: number;
  readonly max_ns: number;
  readonly grid: string;
  readonly block: string;
  readonly registers: number | null;
  readonly shared_memory: number | null;
  /** percent */
  readonly occupancy: number | null;
  readonly blocks_per_sm: number | null;
  readonly tensor_cores: boolean | null;
  readonly longest: number;
}

export interface Kernels {
  readonly rows: readonly KernelRow[];
  readonly total_ns: number;
  readonly tensor_core_share: number | null;
  /** there are more rows, with less time */
  readonly is_cut: boolean;
}
