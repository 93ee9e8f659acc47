/** Requests and results about one point. The same types as in Python. */

import type { RowFilter, SetParameters } from "./sets";

export type Cell = number | boolean | string | null;

/** Of one row. `score` as in Predictions; `scores` has one number for each class of a multi-class model. */
export interface Prediction {
  readonly score: number | null;
  readonly scores: readonly (number | null)[];
  readonly predicted: string;
}

export interface PredictionsResult {
  readonly model: string;
  readonly classes: readonly string[];
  readonly predictions: readonly Prediction[];
  readonly took_ms: number;
}

export interface NearRow {
  readonly row: number;
  readonly distance: number;
  readonly prediction: Prediction | null;
  readonly truth: Cell;
}

export interface FeatureDifference {
  readonly feature: string;
  readonly own: Cell;
  readonly other: Cell;
  readonly distance: number;
}

/** The nearest row with another predicted class, or with a score that differs by at least the asked amount. */
export interface Counterfactual {
  readonly near: NearRow | null;
  readonly differences: readonly FeatureDifference[];
  readonly candidates: number;
  readonly distance: string;
  readonly notes: readonly string[];
}

export interface Neighbours {
  readonly neighbours: readonly NearRow[];
  readonly distance: string;
}

/** Of a computation that calls a model many times. The result is final unless `state` is "running". */
export interface Progress {
  readonly key: string;
  readonly done: number;
  readonly total: number;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly error: string;
  readonly traceback: string;
  /** What `done` and `total` count. */
  readonly unit: "rows" | "samples";
}

export interface DependenceCurve {
  readonly row: number;
  readonly scores: readonly (number | null)[];
}

/**
 * The prediction along the values of one feature: of the point, of other rows, and their mean.
 *
 * With `feature2` the mean is a grid: `grid2` has its values, and `mean` is row by row along `grid2`.
 */
export interface PartialDependence {
  readonly feature: string;
  readonly feature2: string;
  readonly grid: readonly Cell[];
  readonly grid2: readonly Cell[];
  /** The prediction of the point with its own values. */
  readonly own: number | null;
  readonly point: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly curves: readonly DependenceCurve[];
  readonly class_name: string;
  readonly rows: number;
  readonly progress: Progress;
}

export interface Attribution {
  readonly feature: string;
  readonly value: number;
  readonly error: number;
  readonly own: Cell;
}

/** Shapley values of one point, or the loss of performance when a feature is permuted. */
export interface Attributions {
  readonly method: string;
  readonly metric: string;
  readonly baseline: number | null;
  readonly prediction: number | null;
  readonly class_name: string;
  readonly attributions: readonly Attribution[];
  readonly samples: number;
  readonly notes: readonly string[];
  readonly progress: Progress;
}

export interface PointBody extends SetParameters {
  readonly model?: string;
  readonly row?: number;
  readonly edits?: Readonly<Record<string, Cell>>;
  readonly threshold?: number;
}

export interface EditedRow {
  readonly row: number;
  readonly edits?: Readonly<Record<string, Cell>>;
}

export interface PredictBody extends SetParameters {
  readonly model?: string;
  readonly points?: readonly EditedRow[];
  readonly threshold?: number;
}

/** How the distance of two rows is measured. */
export interface DistanceBody {
  readonly norm?: "l1" | "l2";
  readonly standardize?: boolean;
  readonly features?: readonly string[];
}

/**
 * Classes: a row with another predicted class. With `min_difference`: one whose score differs by at least that.
 *
 * `fixed`: features that must be equal, because a person cannot change them.
 */
export interface CounterfactualBody extends PointBody {
  readonly distance?: DistanceBody;
  readonly fixed?: readonly string[];
  readonly min_difference?: number;
  readonly filter?: RowFilter;
}

export interface NeighboursBody extends PointBody {
  readonly distance?: DistanceBody;
  readonly count?: number;
  readonly filter?: RowFilter;
}

/** The same body again returns how far it has come. `rows` 0: only the point. */
export interface DependenceBody extends PointBody {
  readonly feature?: string;
  readonly feature2?: string;
  readonly class_name?: string;
  readonly rows?: number;
  readonly grid?: number;
  readonly filter?: RowFilter;
}

/** The same body again returns how far it has come. */
export interface AttributionsBody extends PointBody {
  readonly method?: "shapley" | "permutation";
  readonly class_name?: string;
  readonly samples?: number;
  readonly background?: number;
  readonly filter?: RowFilter;
}

export interface StopBody {
  readonly key: string;
}

export interface StopResponse {
  readonly was_running: boolean;
}
