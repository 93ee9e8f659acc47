/** The worst slices. The same types as in Python. */

import type { Condition } from "./result";

export interface FoundSlice {
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly error: number;
  readonly half_interval: number;
  readonly ratio: number | null;
  readonly p_value: number;
}

export interface WorstSlicesResult {
  readonly overall: number | null;
  readonly metric: string;
  readonly slices: readonly FoundSlice[];
  readonly tried: number;
  readonly min_rows: number;
  readonly max_p: number;
  readonly correction: string;
  readonly took_ms: number;
  readonly notes: readonly string[];
}
