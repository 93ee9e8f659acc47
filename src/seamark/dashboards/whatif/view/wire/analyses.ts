/** Requests about many rows. The same types as in Python. */

import type { RowFilter, SetParameters } from "./sets";

/** `slice_by`: none, one or two columns. Numbers are cut into `bins` of equal size. */
export interface PerformanceBody extends SetParameters {
  readonly model?: string;
  readonly filter?: RowFilter;
  readonly slice_by?: readonly string[];
  readonly bins?: number;
  readonly positive?: string;
  readonly cost_ratio?: number;
  readonly threshold?: number;
}

export interface WorstSlicesBody extends SetParameters {
  readonly model?: string;
  readonly filter?: RowFilter;
  readonly columns?: readonly string[];
  readonly max_conditions?: number;
  readonly min_rows?: number;
  readonly max_p?: number;
  readonly count?: number;
  readonly threshold?: number;
  readonly thresholds_by?: string | readonly string[];
  readonly bins?: number;
  readonly thresholds?: Readonly<Record<string, number>>;
}

export interface OtherSet {
  readonly run: string;
  readonly name: string;
  readonly step?: number;
}

/** `other`: the set to compare with; or `other_filter`: other rows of the same set, such as split = "test". */
export interface FeaturesBody extends SetParameters {
  readonly filter?: RowFilter;
  readonly other?: OtherSet | null;
  readonly other_filter?: RowFilter | null;
}

/** Of a logged set: all its steps, whatever `step` is. */
export interface TrainingBody extends SetParameters {
  readonly model?: string;
  readonly filter?: RowFilter;
  readonly slice_by?: readonly string[];
  readonly bins?: number;
  readonly threshold?: number;
  readonly count?: number;
}
