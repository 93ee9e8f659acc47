/** Compile. */

export interface CompileRow {
  readonly name: string;
  /** "XLA", "TorchDynamo", "Inductor" */
  readonly compiler: string;
  readonly calls: number;
  readonly total_ns: number;
  /** calls inside steps */
  readonly in_steps: number;
  readonly slices: readonly number[];
}

/** The longest of the events of compilers that overlap. */
export interface Compilation {
  readonly name: string;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly is_in_step: boolean;
  readonly slice: number;
}

export interface Compile {
  readonly rows: readonly CompileRow[];
  /** the longest ones, in order of time */
  readonly compilations: readonly Compilation[];
  readonly total_ns: number;
  readonly recompiles: number;
  readonly notes: readonly string[];
}
