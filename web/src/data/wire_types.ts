// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface Alert {
  readonly at: number;
  readonly title: string;
  readonly text: string;
  readonly level: string;
  readonly step: number | null;
}
/** @description A version of an artifact that the run logged (`output`) or used (`input`). */
export interface ArtifactUse {
  readonly name: string;
  readonly version: number;
  readonly type: string;
  readonly digest: string;
  readonly role: string;
}
export interface BatchBody {
  readonly requests: readonly SeriesRequest[];
}
export interface ColumnsParameters {
  /**
   * @description Only columns whose names contain every word of it.
   * @default
   */
  readonly search?: string;
  /**
   * @description Columns to list however many there are; repeat it for several.
   * @default []
   */
  readonly id?: readonly string[];
}
export interface ColumnsResponse {
  readonly version: number;
  readonly runs: number;
  readonly columns: readonly ListedColumn[];
  readonly left_out: { readonly [key: string]: number };
  readonly merged_into: { readonly [key: string]: string };
  readonly inherits_params_from: { readonly [key: string]: string };
  /** @description The names of these runs within their trials, the usual one first. */
  readonly parts: readonly string[];
  readonly problems: readonly string[];
}
export interface Comparison {
  readonly difference: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly welch_p: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly bootstrap_low: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly bootstrap_high: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly caveat: string;
}
export interface CompleteBody {
  readonly query: string;
  /**
   * @description Position in the query. Default: its end.
   * @default null
   */
  readonly cursor?: number | null;
}
export interface CompletionOption {
  readonly text: string;
  readonly kind: string;
  readonly detail: string;
}
export interface CompletionResponse {
  readonly from: number;
  readonly to: number;
  readonly options: readonly CompletionOption[];
}
export interface ConflictResponse {
  readonly error: string;
  readonly code: string;
  readonly state: StateResponse;
}
export interface ConsoleLine {
  readonly number: number;
  readonly text: string;
  readonly is_cut: boolean;
}
export interface ConsoleParameters {
  /** @description The run. */
  readonly run: string;
  /**
   * @description Which log, as /api/run lists them. Default: the run's own, else the first.
   * @default
   */
  readonly source?: string;
  /**
   * @description The first line, from 0; negative: from the end. Default -200.
   * @default null
   */
  readonly start?: number | null;
  /**
   * @description The line behind the last. Default: as many as fit.
   * @default null
   */
  readonly stop?: number | null;
  /**
   * @description Only lines that contain this text; start and stop then count those.
   * @default
   */
  readonly search?: string;
}
export interface ConsoleResponse {
  readonly run: string;
  readonly source: string;
  readonly search: string;
  readonly total: number;
  readonly matched: number;
  readonly start: number;
  readonly lines: readonly ConsoleLine[];
  readonly bytes: number;
  readonly is_complete: boolean;
}
export interface ConsoleSource {
  readonly source: string;
  readonly bytes: number;
}
export interface DiffBody {
  /** @description The first is the baseline. */
  readonly runs: readonly string[];
  /**
   * @description Default: the scalars that most of the runs have.
   * @default null
   */
  readonly tags?: readonly string[] | null;
}
export interface DiffMetric {
  readonly tag: string;
  /** @enum {unknown} */
  readonly goal: "max" | "min";
  readonly is_result: boolean;
  readonly final: readonly (number | ("-Infinity" | "Infinity" | "NaN") | null)[];
  readonly final_step: readonly (number | null)[];
  readonly best: readonly (number | ("-Infinity" | "Infinity" | "NaN") | null)[];
  readonly best_step: readonly (number | null)[];
  readonly divergence: Divergence | null;
  readonly divergences: readonly (Divergence | null)[];
  readonly note: string;
}
export interface DiffResponse {
  readonly runs: readonly string[];
  readonly sections: readonly DiffSection[];
  readonly metrics: readonly DiffMetric[];
  readonly tags_left_out: number;
  readonly git_diffs: readonly (string | null)[];
  readonly problems: readonly string[];
}
export interface DiffRow {
  readonly key: string;
  readonly values: readonly (number | boolean | string | readonly string[] | null)[];
  /** @enum {unknown} */
  readonly state: "added" | "changed" | "removed" | "same";
}
export interface DiffSection {
  readonly name: string;
  readonly rows: readonly DiffRow[];
}
export interface Divergence {
  readonly run: string;
  readonly step: number;
  readonly level: number | null;
  readonly rule: string;
}
export interface Effect {
  readonly id: string;
  /** @enum {unknown} */
  readonly type: "bool" | "number" | "text";
  readonly x: readonly (number | boolean | string | readonly string[] | null)[];
  readonly mean: readonly (number | ("-Infinity" | "Infinity" | "NaN"))[];
  readonly low: readonly (number | ("-Infinity" | "Infinity" | "NaN") | null)[];
  readonly high: readonly (number | ("-Infinity" | "Infinity" | "NaN") | null)[];
  readonly n: readonly number[];
}
/** @description The body of every error. */
export interface ErrorResponse {
  readonly error: string;
  readonly code: string;
}
export interface EventCounts {
  readonly files: number;
  readonly bytes: number;
  readonly points: number;
  readonly payloads: number;
}
export interface EventsParameters {
  /**
   * @description The last cursor received: the messages after it are sent first.
   * @default null
   */
  readonly since?: string | null;
}
/** @description The query parameters of GET, and the body of POST. */
export interface ExportRequest {
  /**
   * @description A line for each point, or Parquet with the same columns.
   * @default csv
   * @enum {unknown}
   */
  readonly format?: "csv" | "parquet";
  /**
   * @description Only these tags; repeat it for several.
   * @default null
   */
  readonly tag?: readonly string[] | null;
  /**
   * @description Only these runs; repeat it for several.
   * @default null
   */
  readonly run?: readonly string[] | null;
  /**
   * @description Of a restarted run: the points that count, or those of all attempts.
   * @default latest
   * @enum {unknown}
   */
  readonly attempts?: "all" | "latest";
}
export interface Extreme {
  readonly run: string;
  readonly value: number | ("-Infinity" | "Infinity" | "NaN");
}
export interface Failure {
  readonly type: string;
  readonly message: string;
  readonly traceback: string;
}
export interface FileParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The file, relative to the run's folder, as /api/run lists them. */
  readonly path: string;
}
export interface Git {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  readonly dirty: boolean;
  readonly diff_file: string;
  readonly diff_bytes: number;
  readonly diff_truncated: boolean;
}
export interface Gpu {
  readonly name: string;
  readonly memory_bytes: number;
  readonly driver: string;
}
export interface Group {
  readonly key: readonly (number | boolean | string | readonly string[] | null)[];
  readonly runs: readonly string[];
  readonly metrics: { readonly [key: string]: GroupMetric };
}
export interface GroupMetric {
  readonly n: number;
  readonly mean: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly std: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly median: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly iqm: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly low: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly high: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly best: Extreme | null;
  readonly worst: Extreme | null;
  readonly against?: Comparison;
}
export interface GroupsBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
  /**
   * @description The columns whose values make a group.
   * @default []
   */
  readonly by?: readonly string[];
  /**
   * @description The columns to summarise.
   * @default []
   */
  readonly metrics?: readonly string[];
  /**
   * @description The group that the others are compared with: a value for each column of `by`.
   * @default null
   */
  readonly baseline?: readonly (number | boolean | string | readonly string[] | null)[] | null;
  /**
   * @description Whether less or more of a column is better.
   * @default null
   */
  readonly goal?: { readonly [key: string]: "max" | "min" } | null;
}
export interface GroupsResponse {
  readonly by: readonly string[];
  readonly groups: readonly Group[];
  readonly problems: readonly string[];
  /** @description Why the server, not the database of the runs, computed this. */
  readonly computed_here?: string;
}
export interface HasDataResponse {
  readonly has_data: boolean;
}
export interface HistogramsParameters {
  /** @description The tag. */
  readonly tag: string;
  /** @description Which runs; repeat it for several. */
  readonly run: readonly string[];
  /**
   * @description The unit of start and stop.
   * @default step
   * @enum {unknown}
   */
  readonly axis?: "relative" | "step" | "wall";
  /**
   * @description Where the window begins. Default: at the first histogram.
   * @default null
   */
  readonly start?: number | null;
  /**
   * @description Where the window ends. Default: at the last histogram.
   * @default null
   */
  readonly stop?: number | null;
  /**
   * @description At most so many of each run, evenly spread, with the last; 0: all.
   * @default 0
   */
  readonly limit?: number;
  /**
   * @description Which columns.
   * @default buckets
   * @enum {unknown}
   */
  readonly parts?: "all" | "buckets" | "percentiles";
  /**
   * @description Of a restarted run: the points that count, those of all attempts, or those that count and at the end the rest of an attempt that had gone further.
   * @default latest
   * @enum {unknown}
   */
  readonly attempts?: "all" | "latest" | "marked";
}
export interface Host {
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  readonly cpu_count: number;
  readonly memory_bytes: number;
}
export interface Importance {
  readonly id: string;
  readonly importance: number | ("-Infinity" | "Infinity" | "NaN");
  readonly deviation: number | ("-Infinity" | "Infinity" | "NaN");
  readonly where: string;
}
export interface ImportanceBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
  /**
   * @description The child run that stands for a trial. Default: each run is one.
   * @default
   */
  readonly part?: string;
  /**
   * @description Runs that agree in these columns are one trial, with the means of its runs. Default: none.
   * @default null
   */
  readonly group_by?: readonly string[] | null;
  /**
   * @description Conditions by column; a trial matches one of each column.
   * @default {}
   */
  readonly where?: { readonly [key: string]: readonly (readonly [number, number] | string | null)[] };
  /** @description A column of numbers. */
  readonly target: string;
  /**
   * @description Whether less or more of it is better.
   * @default null
   */
  readonly goal?: ("max" | "min") | null;
  /**
   * @description Default: all hyperparameters that vary.
   * @default null
   */
  readonly params?: readonly string[] | null;
}
export interface ImportanceResponse {
  readonly method: string;
  readonly n: number;
  readonly needed: number;
  readonly explained: number | ("-Infinity" | "Infinity" | "NaN") | null;
  readonly importances: readonly Importance[];
  readonly effects: readonly Effect[];
  readonly problem?: string;
}
export interface LastParameters {
  /** @description The tag; repeat it for several. */
  readonly tag: readonly string[];
  /**
   * @description Only these runs; repeat it for several.
   * @default null
   */
  readonly run?: readonly string[] | null;
}
export interface LastResponse {
  readonly tags: readonly LastValues[];
}
export interface LastValues {
  readonly tag: string;
  readonly runs: readonly string[];
  readonly steps: readonly number[];
  readonly walls: readonly (number | ("-Infinity" | "Infinity" | "NaN"))[];
  readonly values: readonly (number | ("-Infinity" | "Infinity" | "NaN"))[];
}
export interface ListedColumn {
  readonly id: string;
  readonly name: string;
  /** @enum {unknown} */
  readonly source: "metric" | "param" | "run" | "summary";
  /** @enum {unknown} */
  readonly type: "bool" | "duration" | "list" | "number" | "text" | "time";
  readonly runs: number;
  readonly mixed: boolean;
  readonly low: number | null;
  readonly high: number | null;
  readonly values: readonly ValueCount[] | null;
  /** @description Of a metric; empty if unknown. */
  readonly goal?: ("max" | "min") | "";
  readonly stats?: readonly string[];
}
export interface ListedDashboard {
  readonly name: string;
  readonly title: string;
  readonly order: number;
  readonly kinds: readonly string[];
  readonly module: string | null;
  readonly has_data?: string;
  readonly error?: string;
}
export interface ListedProblem {
  /** @enum {unknown} */
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly path: string;
  readonly run: string | null;
  readonly offset: number | null;
}
export interface MarkdownBody {
  readonly text: string;
}
export interface MarkdownResponse {
  readonly html: string;
}
/** @description The arguments of define_metric; `name` may contain `*`. */
export interface Metric {
  readonly name: string;
  readonly step_metric: string;
  readonly summary: string;
  readonly goal: string;
  readonly hidden: boolean;
}
/** @description For a route without query parameters. */
export type NoParameters = Record<string, unknown>;
/** @description The objective of a study. `metric` is a tag of the run, `goal` is "minimize" or "maximize". */
export interface Objective {
  readonly metric: string;
  readonly goal: string;
}
export interface ObjectiveCandidate {
  readonly id: string;
  /** @enum {unknown} */
  readonly goal: "" | "max" | "min";
  readonly part: string;
}
export interface ObjectiveResponse {
  readonly objective: ObjectiveCandidate | null;
  readonly candidates: readonly ObjectiveCandidate[];
  readonly reason: string;
  readonly ranked: readonly string[];
}
export interface PayloadParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The tag. */
  readonly tag: string;
  /** @description The kind, as /api/tags names it. */
  readonly kind: string;
  /** @description The payload, as /api/payloads numbers them. */
  readonly index: number;
  /**
   * @description Which image or clip of the step.
   * @default 0
   */
  readonly sample?: number;
  /**
   * @description Its wall time: a browser may then store the response.
   * @default null
   */
  readonly wall?: number | null;
}
export interface PayloadsParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The tag. */
  readonly tag: string;
  /** @description The kind, as /api/tags names it. */
  readonly kind: string;
  /**
   * @description Of a restarted run: the points that count, those of all attempts, or those that count and at the end the rest of an attempt that had gone further.
   * @default latest
   * @enum {unknown}
   */
  readonly attempts?: "all" | "latest" | "marked";
}
export interface PayloadsResponse {
  readonly run: string;
  readonly tag: string;
  readonly kind: string;
  readonly index: readonly number[];
  readonly steps: readonly number[];
  readonly walls: readonly (number | ("-Infinity" | "Infinity" | "NaN"))[];
  readonly lengths: readonly number[];
  readonly attempt: readonly number[];
  readonly replaced: number;
}
export interface ProblemsResponse {
  readonly problems: readonly ListedProblem[];
}
export interface ProgressResponse {
  readonly loading: boolean;
  readonly files_total: number;
  readonly files_done: number;
  readonly bytes_total: number;
  readonly bytes_done: number;
  readonly roots: readonly Root[];
  readonly cursor: string;
}
export interface Python {
  readonly version: string;
  readonly implementation: string;
  readonly executable: string;
}
/** @description An error in a query has its position in the query, in characters; other errors have none. */
export interface QueryErrorResponse {
  readonly error: string;
  readonly code: string;
  readonly at?: number;
  readonly length?: number;
}
export interface RemovalBody {
  /** @description The runs to remove. */
  readonly runs: readonly string[];
  /**
   * @description List the files and touch nothing.
   * @default true
   */
  readonly dry_run?: boolean;
}
export interface RemovalResponse {
  readonly dry_run: boolean;
  readonly runs: readonly string[];
  readonly files: readonly RemovedFile[];
  readonly total: number;
  readonly bytes: number;
  readonly trash: string | null;
  readonly problems: readonly string[];
}
export interface RemovedFile {
  readonly path: string;
  readonly bytes: number;
}
export interface Root {
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
}
export interface Run {
  readonly name: string;
  readonly path: string;
  readonly first_wall: number | null;
  readonly last_wall: number | null;
  readonly files: number;
  readonly bytes: number;
  readonly series: number;
  readonly points: number;
  readonly payloads: number;
  readonly position: number;
  /** @description The run whose row it is part of. */
  readonly merged_into?: string;
  /** @description Of add_scalars: the key of its curve. */
  readonly curve?: string;
}
/** @description null removes a field. */
export interface RunChange {
  readonly label?: string | null;
  readonly star?: boolean | null;
  readonly note?: string | null;
  readonly hidden?: boolean | null;
  readonly colour?: string | null;
  readonly tags?: readonly string[] | null;
  readonly archived?: boolean | null;
}
export interface RunFile {
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
  /** @enum {unknown} */
  readonly kind: "config" | "console" | "diff" | "events" | "image" | "other" | "record" | "text";
}
export interface RunParameters {
  /** @description The run. */
  readonly run: string;
}
/** @description run.json, without what RunResponse has as fields of its own. */
export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly group: string;
  readonly job_type: string;
  readonly tags: readonly string[];
  readonly notes: string;
  readonly status: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly heartbeat_at: number;
  readonly heartbeat_secs: number;
  readonly exit_code: number | null;
  readonly signal: string;
  readonly error: Failure | null;
  readonly last_step: number | null;
  readonly summary_counts: { readonly [key: string]: number };
  readonly metrics: readonly Metric[];
  readonly objectives: readonly Objective[];
  readonly writer: Writer;
  readonly command: readonly string[];
  readonly working_dir: string;
  readonly python: Python;
  readonly packages: { readonly [key: string]: string };
  readonly host: Host;
  readonly gpus: readonly Gpu[];
  readonly environment: { readonly [key: string]: string };
  readonly git: Git | null;
  readonly console_file: string;
  readonly artifacts: readonly ArtifactUse[];
}
export interface RunResponse {
  readonly name: string;
  readonly path: string;
  readonly status: string;
  readonly started: number | null;
  readonly ended: number | null;
  readonly duration: number | null;
  readonly last_wall: number | null;
  readonly last_step: number | null;
  readonly record: RunRecord | null;
  readonly config: Record<string, unknown>;
  readonly params: { readonly [key: string]: number | boolean | string | readonly string[] | null };
  readonly summary: Record<string, unknown>;
  readonly sessions: readonly Session[];
  readonly alerts: readonly Alert[];
  readonly git_diff: string | null;
  readonly files: readonly RunFile[];
  readonly console: readonly ConsoleSource[];
  readonly goals: { readonly [key: string]: "max" | "min" };
  readonly system_tags: readonly string[];
  readonly events: EventCounts;
  readonly merged_runs: readonly string[];
  readonly series_sources: { readonly [key: string]: SeriesSource };
  readonly missing: string;
  readonly problems: readonly string[];
}
/** @description What is saved of a run. */
export interface RunState {
  readonly label?: string;
  readonly star?: boolean;
  readonly note?: string;
  readonly hidden?: boolean;
  readonly colour?: string;
  readonly tags?: readonly string[];
  readonly archived?: boolean;
}
export interface RunsResponse {
  readonly runs: readonly Run[];
}
export interface SavedTextResponse {
  readonly id: string;
}
/** @description Which runs. The base of every body that selects runs. */
export interface SelectionBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
}
/** @description The query parameters of GET, and the body of POST. Equal requests share a response. */
export interface SeriesRequest {
  /** @description The tag. */
  readonly tag: string;
  /**
   * @description Which runs; repeat it for several. Default: all that have the tag.
   * @default null
   */
  readonly run?: readonly string[] | null;
  /**
   * @description The unit of start and stop.
   * @default step
   * @enum {unknown}
   */
  readonly axis?: "relative" | "step" | "wall";
  /**
   * @description Where the window begins. Default: at the first point.
   * @default null
   */
  readonly start?: number | null;
  /**
   * @description Where the window ends. Default: at the last point.
   * @default null
   */
  readonly stop?: number | null;
  /**
   * @description Pixel columns; 0: every point.
   * @default 0
   */
  readonly width?: number;
  /**
   * @description Weight of the moving average.
   * @default 0
   */
  readonly smoothing?: number;
  /**
   * @description What smoothing is: the weight from each point to the next, or the half-life as a share of the visible range.
   * @default fixed
   * @enum {unknown}
   */
  readonly smoothing_mode?: "adaptive" | "fixed";
  /**
   * @description Width of the visible range, for adaptive smoothing. Default: from start to stop.
   * @default null
   */
  readonly visible?: number | null;
  /**
   * @description Of a restarted run: the points that count; all, by attempt; or both, with the points that the restart replaced marked.
   * @default latest
   * @enum {unknown}
   */
  readonly attempts?: "all" | "latest" | "marked";
  /**
   * @description Which columns, separated by commas. Default: all.
   * @default null
   */
  readonly columns?: readonly string[] | null;
  /**
   * @description Also the nearest point outside the window on either side.
   * @default false
   */
  readonly edges?: boolean;
  /**
   * @description compact: values as float32, columns that all runs share once.
   * @default exact
   * @enum {unknown}
   */
  readonly encoding?: "compact" | "exact";
}
export interface SeriesSource {
  readonly run: string;
  readonly tag: string;
}
/** @description A process that wrote the run; a resumed run has several. */
export interface Session {
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly status: string;
  readonly from_step: number;
  readonly host: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly git_commit: string;
}
export interface StateChange {
  /** @description The version of the state that the change was made on. */
  readonly version: number;
  readonly runs?: { readonly [key: string]: RunChange | null };
  readonly pins?: readonly unknown[];
  readonly views?: Record<string, unknown>;
  readonly dashboards?: Record<string, unknown>;
}
export interface StateResponse {
  readonly version: number;
  readonly runs: { readonly [key: string]: RunState };
  readonly pins: readonly unknown[];
  readonly views: Record<string, unknown>;
  readonly dashboards: Record<string, unknown>;
}
export interface StatusesResponse {
  /** @description False until the table of runs has been built. */
  readonly is_known: boolean;
  readonly statuses: { readonly [key: string]: readonly string[] };
}
export interface TableBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
  /**
   * @description Columns, with - before one that descends.
   * @default null
   */
  readonly sort?: readonly string[] | null;
  /**
   * @description Columns to send: ids, or names as in queries.
   * @default null
   */
  readonly columns?: readonly string[] | null;
  /**
   * @description The first row.
   * @default null
   */
  readonly start?: number | null;
  /**
   * @description The row behind the last.
   * @default null
   */
  readonly stop?: number | null;
}
export interface TableColumn {
  readonly id: string;
  /** @enum {unknown} */
  readonly type: "bool" | "duration" | "list" | "number" | "text" | "time";
  readonly values: readonly (number | boolean | string | readonly string[] | null)[];
  readonly low: number | null;
  readonly high: number | null;
}
export interface TableResponse {
  readonly version: number;
  readonly total: number;
  readonly matched: number;
  readonly start: number;
  readonly runs: readonly string[];
  readonly columns: readonly TableColumn[];
  /** @description Why the server, not the database of the runs, computed this. */
  readonly computed_here?: string;
}
export interface TagRuns {
  readonly tag: string;
  readonly runs: readonly number[];
}
export interface TagsParameters {
  /**
   * @description Only this kind.
   * @default null
   */
  readonly kind?: string | null;
}
export interface TagsResponse {
  readonly runs: readonly string[];
  readonly kinds: { readonly [key: string]: readonly TagRuns[] };
}
export interface TextBody {
  readonly text: string;
}
export interface TextParameters {
  /** @description Of a text that was saved. */
  readonly id: string;
}
export interface TextResponse {
  readonly text: string;
}
export interface TrialColumnsBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
  /**
   * @description The child run that stands for a trial. Default: each run is one.
   * @default
   */
  readonly part?: string;
  /**
   * @description Runs that agree in these columns are one trial, with the means of its runs. Default: none.
   * @default null
   */
  readonly group_by?: readonly string[] | null;
  /**
   * @description Conditions by column; a trial matches one of each column.
   * @default {}
   */
  readonly where?: { readonly [key: string]: readonly (readonly [number, number] | string | null)[] };
  /**
   * @description Ids of columns.
   * @default []
   */
  readonly columns?: readonly string[];
}
export interface TrialRowsBody {
  /**
   * @description Text, a pattern or an expression.
   * @default
   */
  readonly query?: string;
  /**
   * @description Only these runs. Default: all.
   * @default null
   */
  readonly runs?: readonly string[] | null;
  /**
   * @description What to do with archived runs.
   * @default hide
   * @enum {unknown}
   */
  readonly archived?: "hide" | "only" | "show";
  /**
   * @description How many last points `tail` is the mean of.
   * @default 10
   */
  readonly tail?: number;
  /**
   * @description The child run that stands for a trial. Default: each run is one.
   * @default
   */
  readonly part?: string;
  /**
   * @description Runs that agree in these columns are one trial, with the means of its runs. Default: none.
   * @default null
   */
  readonly group_by?: readonly string[] | null;
  /**
   * @description Conditions by column; a trial matches one of each column.
   * @default {}
   */
  readonly where?: { readonly [key: string]: readonly (readonly [number, number] | string | null)[] };
  /**
   * @description Columns, with - before one that descends.
   * @default []
   */
  readonly sort?: readonly string[];
  /**
   * @description Pruned, failed and crashed trials last.
   * @default false
   */
  readonly results_first?: boolean;
  /**
   * @description Ids of columns. Of grouped runs also std:<id> and left_out:<id>.
   * @default []
   */
  readonly columns?: readonly string[];
  /**
   * @description The first trial.
   * @default 0
   */
  readonly start?: number;
  /**
   * @description The trial behind the last.
   * @default null
   */
  readonly stop?: number | null;
}
export interface TrialsResponse {
  readonly version: number;
  readonly total: number;
  readonly matched: number;
  readonly start: number;
  /** @description The first run of each trial. */
  readonly runs: readonly string[];
  readonly columns: readonly TableColumn[];
  /** @description Why the server, not the database of the runs, computed this. */
  readonly computed_here?: string;
}
export interface ValueCount {
  readonly value: number | boolean | string;
  readonly runs: number;
}
/** @description The process that writes the file. A process that finds another `session`, which is random, has lost the run. */
export interface Writer {
  readonly session: string;
  readonly host: string;
  readonly pid: number;
  readonly machine: string;
  readonly process_start: string;
}
