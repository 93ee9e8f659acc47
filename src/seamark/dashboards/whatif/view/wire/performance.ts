/** Results about performance and fairness. The same types as in Python. */

import type { Condition, Difference, Rate } from "./result";

/**
 * At each of the thresholds of PerformanceResult: how many rows with a score at or above it are right and wrong.
 *
 * Everything at a threshold follows: FN = positives - TP, TN = negatives - FP.
 */
export interface ThresholdCounts {
  readonly true_positives: readonly number[];
  readonly false_positives: readonly number[];
}

/** Exact at every distinct score, thinned to the points that change the picture. */
export interface RocCurve {
  readonly false_positive_rate: readonly number[];
  readonly true_positive_rate: readonly number[];
  readonly thresholds: readonly (number | null)[];
  readonly area: number | null;
  readonly area_low: number | null;
  readonly area_high: number | null;
}

export interface PrecisionRecallCurve {
  readonly recall: readonly number[];
  readonly precision: readonly number[];
  readonly thresholds: readonly number[];
  readonly average_precision: number | null;
}

export interface CalibrationBin {
  readonly score: number;
  readonly truth: Rate;
}

export interface Calibration {
  readonly bins: readonly CalibrationBin[];
  readonly expected_error: number | null;
  readonly brier: number | null;
}

/** One slice of a binary model; the first of the list is all rows. */
export interface SlicePerformance {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly positives: number;
  readonly negatives: number;
  readonly counts: ThresholdCounts;
  readonly roc: RocCurve;
  readonly precision_recall: PrecisionRecallCurve;
  readonly calibration: Calibration;
  readonly log_loss: number | null;
}

export interface StrategyResult {
  readonly strategy:
    | "custom"
    | "single"
    | "per_group"
    | "demographic_parity"
    | "equal_opportunity"
    | "equal_accuracy"
    | "equalized_odds";
  readonly thresholds: readonly number[];
  readonly cost: number | null;
  readonly gap: number | null;
}

/**
 * Of a binary model, or of one class against all others.
 *
 * `thresholds` are those of `counts`, in ascending order. Without slices, strategies have one threshold, for all rows.
 */
export interface PerformanceResult {
  readonly positive: string;
  readonly thresholds: readonly number[];
  readonly slices: readonly SlicePerformance[];
  readonly strategies: readonly StrategyResult[];
  readonly tolerance: number;
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
}

export interface ClassPerformance {
  readonly name: string;
  readonly truth: number;
  readonly predicted: number;
  readonly right: number;
  readonly precision: Rate;
  readonly recall: Rate;
  readonly f1: number | null;
}

export interface MulticlassSlice {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly accuracy: Rate;
  readonly macro_f1: number | null;
  readonly log_loss: number | null;
  readonly classes: readonly ClassPerformance[];
  readonly confusion: readonly (readonly number[])[];
}

export interface MulticlassResult {
  readonly classes: readonly string[];
  readonly slices: readonly MulticlassSlice[];
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
}

/** Errors are predictions minus truths. */
export interface RegressionSlice {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly mean_error: number | null;
  readonly mean_error_low: number | null;
  readonly mean_error_high: number | null;
  readonly mean_absolute_error: number | null;
  readonly root_mean_squared_error: number | null;
  readonly r2: number | null;
  readonly quantiles: readonly number[];
  readonly histogram: readonly number[];
}

export interface RegressionResult {
  readonly edges: readonly number[];
  readonly slices: readonly RegressionSlice[];
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
}

export interface RankingSlice {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly groups: number;
  readonly ndcg: number | null;
  readonly ndcg_at_10: number | null;
  readonly mean_reciprocal_rank: number | null;
  readonly kendall_tau: number | null;
}

export interface RankingResult {
  readonly slices: readonly RankingSlice[];
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
}

/** The performance of a model, in the field of its task; the others are None. */
export interface TaskPerformance {
  readonly task: "binary" | "multiclass" | "regression" | "ranking";
  readonly binary: PerformanceResult | null;
  readonly multiclass: MulticlassResult | null;
  readonly regression: RegressionResult | null;
  readonly ranking: RankingResult | null;
}

/** Between two slices at the thresholds in force. */
export interface SliceDifference {
  readonly true_positive_rate: Difference;
  readonly false_positive_rate: Difference;
}
