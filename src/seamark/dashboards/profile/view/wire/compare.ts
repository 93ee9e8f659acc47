/** Compare: two profiles side by side. */

export interface ComparedStep {
  /** of BREAKDOWN_PARTS, or "step" */
  readonly part: string;
  readonly a_ns: number;
  readonly b_ns: number;
}

export interface ComparedRow {
  readonly name: string;
  readonly a_calls: number;
  readonly b_calls: number;
  /** for each step */
  readonly a_ns: number;
  readonly b_ns: number;
  /** share of the whole difference */
  readonly explains: number | null;
}

export interface Comparison {
  readonly a_steps: number;
  readonly b_steps: number;
  readonly breakdown: readonly ComparedStep[];
  readonly operators: readonly ComparedRow[];
  readonly kernels: readonly ComparedRow[];
  /** sentences, the largest change first */
  readonly explanation: readonly string[];
  /** the durations of the steps, aligned by number where both have them */
  readonly a_step_ns: readonly number[];
  readonly b_step_ns: readonly number[];
  readonly step_names: readonly string[];
}
