// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface Attribution {
  readonly feature: string;
  readonly value: number;
  readonly error: number;
  readonly own: number | boolean | string | null;
}
/** @description Shapley values of one point, or the loss of performance when a feature is permuted. */
export interface Attributions {
  /** @enum {unknown} */
  readonly method: "permutation" | "shapley";
  readonly metric: string;
  readonly baseline: number | null;
  readonly prediction: number | null;
  readonly class_name: string;
  readonly attributions: readonly Attribution[];
  readonly samples: number;
  readonly notes: readonly string[];
  readonly progress: Progress;
}
/** @description The same body again returns how far it has come. */
export interface AttributionsBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0 */
  readonly row?: number;
  /** @default {} */
  readonly edits?: { readonly [key: string]: number | boolean | string | null };
  /** @default 0.5 */
  readonly threshold?: number;
  /**
   * @default shapley
   * @enum {unknown}
   */
  readonly method?: "permutation" | "shapley";
  /** @default  */
  readonly class_name?: string;
  /** @default 200 */
  readonly samples?: number;
  /** @default 1000 */
  readonly background?: number;
  readonly filter?: RowFilter;
}
export interface Calibration {
  readonly bins: readonly CalibrationBin[];
  readonly expected_error: number | null;
  readonly brier: number | null;
}
export interface CalibrationBin {
  readonly score: number;
  readonly truth: Rate;
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
export interface ColumnEntry {
  readonly name: string;
  /** @enum {unknown} */
  readonly type: "boolean" | "category" | "image" | "number" | "text";
  /** @enum {unknown} */
  readonly role: "feature" | "group" | "id" | "ignored" | "prediction" | "split" | "truth" | "weight";
  readonly model: string;
  readonly predicted_class: string;
  readonly distinct: number;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly names: readonly string[];
  readonly is_whole: boolean;
}
/**
 * @description `column` is the name of a column, or one that is computed:
 *
 *         `=score`, `=predicted`, `=error`, `=correct` of `model`; `=difference` of the scores of `model` and `model2`;
 *         `=distance` from `row`; `=score:CLASS` of a multi-class model.
 */
export interface ColumnParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /** @default  */
  readonly column?: string;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model2?: string;
  /** @default 0 */
  readonly row?: number;
  /** @default 0.5 */
  readonly threshold?: number;
}
export interface ColumnSchema {
  readonly name: string;
  /** @enum {unknown} */
  readonly type: "boolean" | "category" | "image" | "number" | "text";
  /**
   * @default feature
   * @enum {unknown}
   */
  readonly role?: "feature" | "group" | "id" | "ignored" | "prediction" | "split" | "truth" | "weight";
  /** @default  */
  readonly model?: string;
  /** @default  */
  readonly predicted_class?: string;
}
/** @description A condition of a slice: one of `values`, or a range of numbers. `label` is what people read: "age 25 to 65". */
export interface Condition {
  readonly column: string;
  /** @default [] */
  readonly values?: readonly string[];
  /** @default null */
  readonly at_least?: number | null;
  /** @default null */
  readonly below?: number | null;
  /** @default  */
  readonly label?: string;
}
/** @description The nearest row with another predicted class, or with a score that differs by at least the asked amount. */
export interface Counterfactual {
  readonly near: NearRow | null;
  readonly differences: readonly FeatureDifference[];
  readonly candidates: number;
  readonly distance: string;
  readonly notes: readonly string[];
}
/**
 * @description Classes: a row with another predicted class. With `min_difference`: one whose score differs by at least that.
 *
 *         `fixed`: features that must be equal, because a person cannot change them.
 */
export interface CounterfactualBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0 */
  readonly row?: number;
  /** @default {} */
  readonly edits?: { readonly [key: string]: number | boolean | string | null };
  /** @default 0.5 */
  readonly threshold?: number;
  readonly distance?: DistanceBody;
  /** @default [] */
  readonly fixed?: readonly string[];
  /** @default 0 */
  readonly min_difference?: number;
  readonly filter?: RowFilter;
}
/** @description The same body again returns how far it has come. `rows` 0: only the point. */
export interface DependenceBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0 */
  readonly row?: number;
  /** @default {} */
  readonly edits?: { readonly [key: string]: number | boolean | string | null };
  /** @default 0.5 */
  readonly threshold?: number;
  /** @default  */
  readonly feature?: string;
  /** @default  */
  readonly feature2?: string;
  /** @default  */
  readonly class_name?: string;
  /** @default 200 */
  readonly rows?: number;
  /** @default 20 */
  readonly grid?: number;
  readonly filter?: RowFilter;
}
export interface DependenceCurve {
  readonly row: number;
  readonly scores: readonly (number | null)[];
}
/** @description How the distance of two rows is measured. */
export interface DistanceBody {
  /**
   * @default l1
   * @enum {unknown}
   */
  readonly norm?: "l1" | "l2";
  /** @default true */
  readonly standardize?: boolean;
  /** @default [] */
  readonly features?: readonly string[];
}
export interface EditedRow {
  readonly row: number;
  /** @default {} */
  readonly edits?: { readonly [key: string]: number | boolean | string | null };
}
/** @description The rows of the filter with the predictions of `model`; `rows` empty: all that match. */
export interface ExportBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  readonly filter?: RowFilter;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0.5 */
  readonly threshold?: number;
  /** @default [] */
  readonly rows?: readonly number[];
  /**
   * @default csv
   * @enum {unknown}
   */
  readonly format?: "csv" | "jsonl" | "parquet";
}
export interface FeatureDifference {
  readonly feature: string;
  readonly own: number | boolean | string | null;
  readonly other: number | boolean | string | null;
  readonly distance: number;
}
export interface FeatureFlag {
  /** @enum {unknown} */
  readonly code:
    "constant" | "drift" | "imbalanced" | "infinite" | "leakage" | "many_values" | "missing" | "skewed" | "zeros";
  readonly text: string;
}
export interface FeatureStatistics {
  readonly name: string;
  readonly type: string;
  readonly rows: number;
  readonly missing: number;
  readonly zeros: number;
  readonly distinct: number;
  readonly mean: number | null;
  readonly deviation: number | null;
  readonly quantiles: readonly number[];
  readonly edges: readonly number[];
  readonly histogram: readonly number[];
  readonly other_histogram: readonly number[];
  readonly top: readonly NamedCount[];
  readonly longest: number;
  readonly skewness: number | null;
  readonly truth_strength: number | null;
  readonly drift: number | null;
  readonly drift_p: number | null;
  readonly flags: readonly FeatureFlag[];
}
/** @description `other`: the set to compare with; or `other_filter`: other rows of the same set, such as split = "test". */
export interface FeaturesBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  readonly filter?: RowFilter;
  /** @default null */
  readonly other?: OtherSet | null;
  /** @default null */
  readonly other_filter?: RowFilter | null;
}
export interface FeaturesResult {
  readonly rows: number;
  readonly other_rows: number;
  readonly features: readonly FeatureStatistics[];
  readonly notes: readonly string[];
}
export interface FilterBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  readonly filter?: RowFilter;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0.5 */
  readonly threshold?: number;
}
export interface FoundSlice {
  readonly conditions: readonly Condition[];
  readonly rows: number;
  readonly error: number;
  readonly half_interval: number;
  readonly ratio: number | null;
  readonly p_value: number;
}
export interface InfoResponse {
  readonly rows: number;
  readonly content_id: string;
  /** @enum {unknown} */
  readonly task: "binary" | "multiclass" | "ranking" | "regression";
  readonly target: string;
  readonly positive: string;
  readonly classes: readonly string[];
  readonly columns: readonly ColumnEntry[];
  readonly models: readonly ModelEntry[];
  readonly steps: readonly number[];
  readonly can_predict: boolean;
  readonly schema_path: string;
  readonly problems: readonly string[];
}
/** @description `source`: where the predictions come from: "columns", "process", "http" or "logged". */
export interface ModelEntry {
  readonly name: string;
  /** @enum {unknown} */
  readonly source: "columns" | "http" | "logged" | "process";
  readonly can_predict: boolean;
  readonly classes: readonly string[];
  readonly row_ms: number | null;
  readonly error: string;
  readonly traceback: string;
  readonly progress: number;
  readonly note: string;
}
export interface MulticlassResult {
  readonly classes: readonly string[];
  readonly slices: readonly MulticlassSlice[];
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
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
export interface NamedCount {
  readonly name: string;
  readonly count: number;
  readonly other: number;
}
export interface NearRow {
  readonly row: number;
  readonly distance: number;
  readonly prediction: Prediction | null;
  readonly truth: number | boolean | string | null;
}
export interface Neighbours {
  readonly neighbours: readonly NearRow[];
  readonly distance: string;
}
export interface NeighboursBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0 */
  readonly row?: number;
  /** @default {} */
  readonly edits?: { readonly [key: string]: number | boolean | string | null };
  /** @default 0.5 */
  readonly threshold?: number;
  readonly distance?: DistanceBody;
  /** @default 5 */
  readonly count?: number;
  readonly filter?: RowFilter;
}
export interface OtherSet {
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
}
/**
 * @description The prediction along the values of one feature: of the point, of other rows, and their mean.
 *
 *         With `feature2` the mean is a grid: `grid2` has its values, and `mean` is row by row along `grid2`.
 */
export interface PartialDependence {
  readonly feature: string;
  readonly feature2: string;
  readonly grid: readonly (number | boolean | string | null)[];
  readonly grid2: readonly (number | boolean | string | null)[];
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
/** @description `slice_by`: none, one or two columns. Numbers are cut into `bins` of equal size. */
export interface PerformanceBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  readonly filter?: RowFilter;
  /** @default [] */
  readonly slice_by?: readonly string[];
  /** @default 4 */
  readonly bins?: number;
  /** @default  */
  readonly positive?: string;
  /** @default 1 */
  readonly cost_ratio?: number;
  /** @default 0.5 */
  readonly threshold?: number;
}
/**
 * @description Of a binary model, or of one class against all others.
 *
 *         `thresholds` are those of `counts`, in ascending order. Without slices, strategies have one threshold, for all rows.
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
export interface PictureParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /** @default  */
  readonly column?: string;
  /** @default 0 */
  readonly row?: number;
}
export interface PrecisionRecallCurve {
  readonly recall: readonly number[];
  readonly precision: readonly number[];
  readonly thresholds: readonly number[];
  readonly average_precision: number | null;
}
export interface PredictBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default [] */
  readonly points?: readonly EditedRow[];
  /** @default 0.5 */
  readonly threshold?: number;
}
/** @description Of one row. `score` as in Predictions; `scores` has one number for each class of a multi-class model. */
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
/** @description Of a computation that calls a model many times. The result is final unless `state` is "running". */
export interface Progress {
  readonly key: string;
  readonly done: number;
  readonly total: number;
  /** @enum {unknown} */
  readonly state: "done" | "failed" | "running" | "stopped";
  readonly error: string;
  readonly traceback: string;
  /** @enum {unknown} */
  readonly unit: "rows" | "samples";
}
export interface RankingResult {
  readonly slices: readonly RankingSlice[];
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
/** @description A share of `of` rows with its 95 % interval (Wilson). All three are None if there are no rows. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}
export interface RegressionResult {
  readonly edges: readonly number[];
  readonly slices: readonly RegressionSlice[];
  readonly left_out: number;
  readonly slices_left_out: number;
  readonly notes: readonly string[];
}
/** @description Errors are predictions minus truths. */
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
/** @description Exact at every distinct score, thinned to the points that change the picture. */
export interface RocCurve {
  readonly false_positive_rate: readonly number[];
  readonly true_positive_rate: readonly number[];
  readonly thresholds: readonly (number | null)[];
  readonly area: number | null;
  readonly area_low: number | null;
  readonly area_high: number | null;
}
/** @description The rows that match a query and all conditions; empty: all rows. */
export interface RowFilter {
  /** @default  */
  readonly query?: string;
  /** @default [] */
  readonly conditions?: readonly Condition[];
}
/** @description `columns` empty: all. */
export interface RowsBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /** @default [] */
  readonly rows?: readonly number[];
  /** @default [] */
  readonly columns?: readonly string[];
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  /** @default 0.5 */
  readonly threshold?: number;
}
/** @description `values[i]` is the row `rows[i]`, in the order of `columns`. */
export interface RowsResponse {
  readonly rows: readonly number[];
  readonly columns: readonly string[];
  readonly values: readonly (readonly (number | boolean | string | null)[])[];
}
export interface Schema {
  readonly columns: readonly ColumnSchema[];
  /**
   * @default binary
   * @enum {unknown}
   */
  readonly task?: "binary" | "multiclass" | "ranking" | "regression";
  /** @default  */
  readonly target?: string;
  /** @default  */
  readonly positive?: string;
}
/** @description `schema` None removes the corrections. Columns that it does not name are inferred; an empty target is none. */
export interface SchemaBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  readonly schema: Schema | null;
}
export interface SetEntry {
  readonly run: string;
  readonly name: string;
  readonly title: string;
  readonly steps: readonly number[];
}
/** @description `step`: of a logged set, the step whose predictions are meant; -1: the last. */
export interface SetParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
}
export interface SetsResponse {
  readonly sets: readonly SetEntry[];
  readonly more: boolean;
  readonly can_predict: boolean;
  readonly problems: readonly string[];
}
export interface SliceOverSteps {
  readonly name: string;
  readonly conditions: readonly Condition[];
  readonly steps: readonly StepError[];
}
/** @description One slice of a binary model; the first of the list is all rows. */
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
export interface StepError {
  readonly step: number;
  readonly rows: number;
  readonly error: number | null;
  readonly low: number | null;
  readonly high: number | null;
}
export interface StopBody {
  readonly key: string;
}
export interface StopResponse {
  readonly was_running: boolean;
}
export interface StrategyResult {
  /** @enum {unknown} */
  readonly strategy:
    | "custom"
    | "demographic_parity"
    | "equal_accuracy"
    | "equal_opportunity"
    | "equalized_odds"
    | "per_group"
    | "single";
  readonly thresholds: readonly number[];
  readonly cost: number | null;
  readonly gap: number | null;
}
/** @description The performance of a model, in the field of its task; the others are None. */
export interface TaskPerformance {
  /** @enum {unknown} */
  readonly task: "binary" | "multiclass" | "ranking" | "regression";
  readonly binary: PerformanceResult | null;
  readonly multiclass: MulticlassResult | null;
  readonly regression: RegressionResult | null;
  readonly ranking: RankingResult | null;
}
/**
 * @description At each of the thresholds of PerformanceResult: how many rows with a score at or above it are right and wrong.
 *
 *         Everything at a threshold follows: FN = positives - TP, TN = negatives - FP.
 */
export interface ThresholdCounts {
  readonly true_positives: readonly number[];
  readonly false_positives: readonly number[];
}
/** @description `forgotten`: times it went from right to wrong. `flips`: times that its prediction changed. */
export interface TrackedExample {
  readonly row: number;
  readonly forgotten: number;
  readonly flips: number;
  readonly first_learned: number | null;
  readonly mean_loss: number;
  readonly scores: readonly (number | null)[];
  readonly is_right: readonly (boolean | null)[];
}
/** @description Of a logged set: all its steps, whatever `step` is. */
export interface TrainingBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  readonly filter?: RowFilter;
  /** @default [] */
  readonly slice_by?: readonly string[];
  /** @default 4 */
  readonly bins?: number;
  /** @default 0.5 */
  readonly threshold?: number;
  /** @default 50 */
  readonly count?: number;
}
export interface TrainingResult {
  readonly steps: readonly number[];
  readonly slices: readonly SliceOverSteps[];
  readonly most_forgotten: readonly TrackedExample[];
  readonly most_flips: readonly TrackedExample[];
  readonly hardest: readonly TrackedExample[];
  readonly never_learned: number;
  readonly always_right: number;
  readonly notes: readonly string[];
}
export interface UploadParameters {
  /** @description The name of the file. */
  readonly name: string;
}
export interface UploadResponse {
  readonly run: string;
  readonly name: string;
}
export interface WorstSlicesBody {
  /** @description The run. */
  readonly run: string;
  /** @description `file:PATH`, `logged:NAME` or `upload:ID`, from /sets. */
  readonly name: string;
  /** @default -1 */
  readonly step?: number;
  /**
   * @description The name of a model, from /info; empty: the first one.
   * @default
   */
  readonly model?: string;
  readonly filter?: RowFilter;
  /** @default [] */
  readonly columns?: readonly string[];
  /** @default 3 */
  readonly max_conditions?: number;
  /** @default 50 */
  readonly min_rows?: number;
  /** @default 0.01 */
  readonly max_p?: number;
  /** @default 20 */
  readonly count?: number;
  /** @default 0.5 */
  readonly threshold?: number;
  /** @default  */
  readonly thresholds_by?: string | readonly string[];
  /** @default 4 */
  readonly bins?: number;
  /** @default {} */
  readonly thresholds?: { readonly [key: string]: number };
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
