// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface Area {
  readonly rows: readonly AreaRow[];
  readonly total_ns: number;
  readonly count: number;
  readonly tracks: number;
  readonly overlaps: boolean;
  readonly device_idle_ns: number | null;
}
export interface AreaParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly start: number;
  readonly end: number;
  /** @default  */
  readonly tracks?: string;
  /**
   * @default name
   * @enum {unknown}
   */
  readonly by?: "activity" | "name" | "track";
}
export interface AreaRow {
  readonly name: string;
  readonly activity: number;
  readonly track: number;
  readonly count: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly longest: number;
}
export interface CaptureEntry {
  readonly run: string;
  readonly name: string;
  readonly time: number;
  readonly hosts: readonly HostEntry[];
  readonly is_remainder: boolean;
}
export interface CapturesResponse {
  readonly captures: readonly CaptureEntry[];
  readonly more: boolean;
}
/** @description Of all ranks. */
export interface CollectiveRow {
  readonly name: string;
  readonly group: string;
  readonly calls: number;
  readonly total_ns: number;
  readonly mean_ns: number;
  readonly bytes: number | null;
  readonly bandwidth: number | null;
  readonly longest: number;
}
export interface CompareParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @description The run. */
  readonly other_run: string;
  /** @description The capture, from /captures. */
  readonly other_capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly other_host?: string;
}
export interface ComparedRow {
  readonly name: string;
  readonly a_calls: number;
  readonly b_calls: number;
  readonly a_ns: number;
  readonly b_ns: number;
  readonly explains: number | null;
}
export interface ComparedStep {
  readonly part: string;
  readonly a_ns: number;
  readonly b_ns: number;
}
/** @description Rows of a comparison as CSV. */
export interface ComparedTableParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @description The run. */
  readonly other_run: string;
  /** @description The capture, from /captures. */
  readonly other_capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly other_host?: string;
  /** @enum {unknown} */
  readonly table: "kernels" | "operators";
}
export interface Comparison {
  readonly a_steps: number;
  readonly b_steps: number;
  readonly breakdown: readonly ComparedStep[];
  readonly operators: readonly ComparedRow[];
  readonly kernels: readonly ComparedRow[];
  readonly explanation: readonly string[];
  readonly a_step_ns: readonly number[];
  readonly b_step_ns: readonly number[];
  readonly step_names: readonly string[];
}
/** @description The longest of the events of compilers that overlap. */
export interface Compilation {
  readonly name: string;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly is_in_step: boolean;
  readonly slice: number;
}
export interface Compile {
  readonly rows: readonly CompileRow[];
  readonly compilations: readonly Compilation[];
  readonly total_ns: number;
  readonly recompiles: number;
  readonly notes: readonly string[];
}
export interface CompileRow {
  readonly name: string;
  readonly compiler: string;
  readonly calls: number;
  readonly total_ns: number;
  readonly in_steps: number;
  readonly slices: readonly number[];
}
/** @description A counter of Trace. */
export interface CounterEntry {
  readonly id: number;
  readonly name: string;
  readonly process: string;
  readonly unit: string;
  readonly points: number;
  readonly limit: number | null;
}
/** @description One counter between two times, downsampled: columns time, min, max, last. */
export interface CounterParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly counter: number;
  /** @default 0 */
  readonly start?: number;
  /** @default 0 */
  readonly end?: number;
  /** @default 1000 */
  readonly width?: number;
}
export interface Distributed {
  readonly ranks: readonly RankRow[];
  readonly collectives: readonly CollectiveRow[];
  readonly notes: readonly string[];
  readonly lanes: readonly RankLane[];
  readonly window_name: string;
  readonly window_ns: number;
  readonly window_start_ns: number;
}
export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string;
}
/** @description The slices that prove a finding: the longest ones, and how many there are. */
export interface Evidence {
  readonly count: number;
  readonly slices: readonly number[];
  readonly start_ns: number;
  readonly end_ns: number;
}
/** @description The slices of an area as a Chrome trace. */
export interface ExportParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly start: number;
  readonly end: number;
  /** @default  */
  readonly tracks?: string;
}
export interface Finding {
  readonly code: string;
  readonly text: string;
  readonly advice: string;
  readonly gain: number;
  readonly gain_ns: number;
  readonly formula: string;
  readonly evidence: Evidence;
}
export interface Findings {
  readonly findings: readonly Finding[];
  readonly checked: number;
  readonly skipped: readonly string[];
  readonly unread_ranks: number;
  readonly unread_bytes: number;
}
export interface FindingsParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @default false */
  readonly all_ranks?: boolean;
}
/** @description The slices of an area as a tree of names, a StackTree. */
export interface FlameParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly start: number;
  readonly end: number;
  /** @default  */
  readonly tracks?: string;
}
/** @description The arrows from and to a slice: columns from, to, from_row, to_row, from_time, to_time. */
export interface FlowParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly slice: number;
}
/** @description The five numbers of the overview; None: n/a, and `reasons` says why. */
export interface Headline {
  readonly step_mean_ns: number | null;
  readonly step_p5_ns: number | null;
  readonly step_p95_ns: number | null;
  readonly step_deviation_ns: number | null;
  readonly input_share: number | null;
  readonly peak_memory_bytes: number | null;
  readonly memory_limit_bytes: number | null;
  readonly peak_memory_at: string;
  readonly reasons: { readonly [key: string]: string };
}
export interface HostEntry {
  readonly host: string;
  readonly bytes: number;
}
export interface InfoResponse {
  readonly origin_ns: number;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly slices: number;
  readonly bytes: number;
  readonly tracks: readonly Track[];
  readonly counters: readonly CounterEntry[];
  readonly steps: Steps;
  readonly sub_tabs: readonly (
    | "compare"
    | "compile"
    | "distributed"
    | "input"
    | "kernels"
    | "memory"
    | "modules"
    | "operators"
    | "overview"
    | "roofline"
    | "trace"
  )[];
  readonly problems: readonly string[];
}
export interface InputPipeline {
  readonly stages: readonly InputStage[];
  readonly wait_ns_per_step: readonly number[];
  readonly wait_bins_ns: readonly number[];
  readonly wait_counts: readonly number[];
  readonly workers: number | null;
  readonly advice: readonly string[];
  readonly notes: readonly string[];
}
export interface InputStage {
  readonly name: string;
  readonly parent: number;
  readonly calls: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly max_ns: number | null;
  readonly slow_calls: number | null;
  readonly is_bottleneck: boolean;
  readonly longest: number;
}
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
  readonly occupancy: number | null;
  readonly blocks_per_sm: number | null;
  readonly tensor_cores: boolean | null;
  readonly longest: number;
}
export interface Kernels {
  readonly rows: readonly KernelRow[];
  readonly total_ns: number;
  readonly tensor_core_share: number | null;
  readonly is_cut: boolean;
}
export interface LeakCandidate {
  readonly device: string;
  readonly operator: string;
  readonly bytes_per_step: number;
  readonly allocations_per_step: number;
  readonly steps: number;
  readonly slices: readonly number[];
}
export interface Memory {
  readonly curves: readonly MemoryCurve[];
  readonly at_peak: readonly MemoryRow[];
  readonly operators: readonly MemoryOperatorRow[];
  readonly leaks: readonly LeakCandidate[];
  readonly fragmentation: number | null;
  readonly notes: readonly string[];
}
export interface MemoryCurve {
  readonly name: string;
  readonly allocator: string;
  readonly times_ns: readonly number[];
  readonly allocated: readonly number[];
  readonly reserved: readonly number[] | null;
  readonly peak_bytes: number;
  readonly peak_ns: number;
  readonly limit_bytes: number | null;
}
export interface MemoryOperatorRow {
  readonly device: string;
  readonly operator: string;
  readonly calls: number;
  readonly allocated_bytes: number;
  readonly self_increase_bytes: number;
  readonly peak_bytes: number;
}
/** @description What holds memory at the peak. */
export interface MemoryRow {
  readonly device: string;
  readonly operator: string;
  readonly shape: string;
  readonly bytes: number;
  readonly allocated_ns: number;
  readonly freed_ns: number | null;
  readonly slice: number;
}
export interface Modules {
  readonly tree: StackTree;
  readonly source: string;
  readonly notes: readonly string[];
}
export interface NamesParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly ids: string;
}
export interface NamesResponse {
  readonly names: readonly string[];
}
/** @description The slice before, after, above or below one; -1 if there is none. */
export interface NearParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly slice: number;
  /** @enum {unknown} */
  readonly direction: "child" | "next" | "parent" | "previous";
}
export interface NearResponse {
  readonly slice: number;
}
export interface OperatorParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /**
   * @default name
   * @enum {unknown}
   */
  readonly group?: "name" | "shapes";
}
export interface OperatorRow {
  readonly name: string;
  readonly activity: number;
  readonly calls: number;
  readonly self_ns: number;
  readonly total_ns: number;
  readonly device_self_ns: number | null;
  readonly device_total_ns: number | null;
  readonly tensor_cores: boolean | null;
  readonly shapes: string;
  readonly longest: number;
}
export interface Operators {
  readonly rows: readonly OperatorRow[];
  /** @enum {unknown} */
  readonly group: "name" | "shapes";
  readonly total_self_ns: number;
  readonly total_device_ns: number | null;
  readonly is_cut: boolean;
}
export interface Overview {
  readonly steps: readonly StepBreakdown[];
  /** @enum {unknown} */
  readonly source:
    | "data_loader"
    | "drawn"
    | "none"
    | "optimizer"
    | "profiler_step"
    | "repetition"
    | "root"
    | "step_marker"
    | "step_num"
    | "tables"
    | "trace_context";
  readonly steps_text: string;
  readonly mean: { readonly [key: string]: number };
  readonly headline: Headline;
  readonly utilization: Utilization;
  readonly environment: readonly EnvironmentEntry[];
  readonly streams: readonly StreamIdle[];
  readonly notes: readonly string[];
}
export interface ProfileParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
}
/** @description One step of a rank on the clock of the first rank. */
export interface RankLane {
  readonly host: string;
  readonly capture_host: string;
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  readonly activities: readonly number[];
  readonly slices: readonly number[];
}
/** @description Times are of an average step; without steps, of the whole trace. */
export interface RankRow {
  readonly host: string;
  readonly capture_host: string;
  readonly steps: number;
  readonly step_ns: number;
  readonly compute_ns: number;
  readonly communication_ns: number;
  readonly overlap_ns: number;
  readonly exposed_ns: number;
  readonly wait_ns: number | null;
  readonly idle_ns: number;
  readonly awaited_share: number | null;
  readonly clock_offset_ns: number | null;
  readonly is_straggler: boolean;
}
/** @description The busy intervals of one resource in one step. */
export interface ResourceStrip {
  readonly name: string;
  readonly busy_ns: number;
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  readonly activities: readonly number[];
}
export interface Roofline {
  readonly rows: readonly RooflineRow[];
  readonly peak_flop_rate: number | null;
  readonly peak_bandwidth: number | null;
  readonly are_peaks_nominal: boolean;
  readonly notes: readonly string[];
  readonly peaks_note: string;
}
export interface RooflineRow {
  readonly name: string;
  readonly category: string;
  readonly calls: number;
  readonly self_ns: number;
  readonly flops: number;
  readonly bytes: number;
  readonly flop_rate: number;
  readonly intensity: number;
  /** @enum {unknown} */
  readonly bound: "compute" | "memory" | "unknown";
}
export interface RuleText {
  readonly code: string;
  readonly looks_for: string;
  readonly threshold: string;
}
export interface Rules {
  readonly rules: readonly RuleText[];
}
/** @description Slices by name in order of time: columns slice, row, start, duration; the header has total and longest. */
export interface SearchParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly text: string;
  /** @default false */
  readonly is_regex?: boolean;
  /** @default 10000 */
  readonly limit?: number;
}
export interface SliceArgument {
  readonly name: string;
  readonly value: string;
}
export interface SliceDetails {
  readonly slice: number;
  readonly name: string;
  readonly category: string;
  readonly activity: number;
  readonly track: number;
  readonly row: number;
  readonly depth: number;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly self_ns: number;
  readonly step: string;
  readonly parent: number;
  readonly same_name: number;
  readonly arguments: readonly SliceArgument[];
  readonly stack: readonly string[];
  readonly links: readonly SliceLink[];
}
export interface SliceLink {
  readonly relation: string;
  readonly slice: number;
  readonly name: string;
  readonly track: number;
  readonly start_ns: number;
}
export interface SliceParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  readonly slice: number;
}
/** @description A tree in preorder: the parent of node i is nodes[i].parent. */
export interface StackNode {
  readonly name: string;
  readonly parent: number;
  readonly calls: number;
  readonly total_ns: number;
  readonly self_ns: number;
  readonly device_ns: number | null;
  readonly activity: number;
  readonly longest: number;
  readonly backward_ns: number | null;
  readonly backward_device_ns: number | null;
}
export interface StackTree {
  readonly nodes: readonly StackNode[];
  readonly is_cut: boolean;
}
/** @description While a trace is read for the first time. */
export interface StateResponse {
  /** @enum {unknown} */
  readonly state: "failed" | "reading" | "ready";
  readonly bytes_read: number;
  readonly bytes_total: number;
  readonly problem: string;
}
export interface Step {
  readonly name: string;
  readonly number: number | null;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly note: string;
}
/** @description One step: the parts of BREAKDOWN_PARTS in nanoseconds; they sum to its duration. */
export interface StepBreakdown {
  readonly name: string;
  readonly number: number | null;
  readonly start_ns: number;
  readonly duration_ns: number;
  readonly breakdown: { readonly [key: string]: number };
  readonly note: string;
}
export interface StepParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @default 0 */
  readonly step?: number;
}
export interface StepStrip {
  readonly step: Step;
  readonly strips: readonly ResourceStrip[];
  readonly idle_ns: number;
  readonly idle_waiting_input_ns: number;
  readonly host_wait_ns: number;
  readonly kernel_wait_ns: number;
  readonly other_wait_ns: number;
}
export interface Steps {
  readonly steps: readonly Step[];
  /** @enum {unknown} */
  readonly source:
    | "data_loader"
    | "drawn"
    | "none"
    | "optimizer"
    | "profiler_step"
    | "repetition"
    | "root"
    | "step_marker"
    | "step_num"
    | "tables"
    | "trace_context";
  readonly text: string;
}
/** @description What a stream waits for between its first and its last slice, as HolisticTraceAnalysis counts it. */
export interface StreamIdle {
  readonly stream: string;
  readonly device: number;
  readonly busy_ns: number;
  readonly host_wait_ns: number;
  readonly kernel_wait_ns: number;
  readonly other_wait_ns: number;
}
/** @description A table as CSV. */
export interface TableParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @enum {unknown} */
  readonly table:
    | "call_tree"
    | "collectives"
    | "compile"
    | "distributed"
    | "input"
    | "kernels"
    | "memory"
    | "memory_operators"
    | "modules"
    | "operators"
    | "operators_by_shapes"
    | "roofline"
    | "steps";
}
/** @description A thread, a stream of a device, or a line of an XPlane. */
export interface Track {
  readonly id: number;
  /** @enum {unknown} */
  readonly type: "async" | "line" | "stream" | "thread";
  readonly name: string;
  readonly process: string;
  readonly pid: string;
  readonly tid: string;
  readonly is_device: boolean;
  readonly device: number;
  readonly host: string;
  readonly first_row: number;
  readonly rows: number;
  readonly slices: number;
  readonly sort_key: number;
}
/** @description Shares of the steps' time, between 0 and 1; None without a device. */
export interface Utilization {
  readonly device_compute: number | null;
  readonly device_any: number | null;
  readonly sm_efficiency: number | null;
  readonly occupancy: number | null;
  readonly tensor_cores: number | null;
  readonly host_cpu: number | null;
  readonly exposed_communication_ns: number | null;
  readonly communication_ns: number | null;
}
/**
 * @description Slices of some rows between two times; those that are narrower than a pixel are merged into blocks.
 *
 *         The response has columns: row, start, duration, name, activity, slice (the longest of a block), count.
 */
export interface WindowParameters {
  /** @description The run. */
  readonly run: string;
  /** @description The capture, from /captures. */
  readonly capture: string;
  /**
   * @description The host or rank, from /captures; "": the first one.
   * @default
   */
  readonly host?: string;
  /** @default  */
  readonly steps?: string;
  /** @default 0 */
  readonly start?: number;
  /** @default 0 */
  readonly end?: number;
  /** @default 1000 */
  readonly width?: number;
  /** @default  */
  readonly rows?: string;
}
