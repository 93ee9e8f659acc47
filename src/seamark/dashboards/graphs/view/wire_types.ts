// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface AttributeEntry {
  readonly name: string;
  readonly value: string;
  readonly bytes: number | null;
}
export interface AttributeParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @description The id of a node, a group (`gpt/h/5/`) or a series (`gpt/h/*h.0..h.4/`). */
  readonly id: string;
  readonly name: string;
}
export interface BoxColumns {
  readonly id: readonly string[];
  readonly label: readonly string[];
  readonly type: readonly ("group" | "op" | "series")[];
  readonly op: readonly string[];
  readonly parent: readonly number[];
  readonly is_open: readonly boolean[];
  readonly count: readonly number[];
  readonly repeat: readonly number[];
  readonly structure: readonly number[];
  readonly parameters: readonly (number | null)[];
  readonly has_unknown_parameters: readonly boolean[];
  readonly is_aside: readonly boolean[];
}
export interface ChangeEntry {
  readonly id: string;
  readonly label: string;
  /** @enum {unknown} */
  readonly state: "added" | "changed" | "removed";
  readonly op: string;
  readonly what: string;
  readonly groups: readonly string[];
}
export interface ColoursParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /**
   * @description The tag of the run metadata for time and memory. Default: none.
   * @default
   */
  readonly profile?: string;
}
export interface ColoursResponse {
  readonly reasons: { readonly [key: string]: string };
}
export interface CompareParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @description The run. */
  readonly baseline_run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly baseline_graph: string;
}
export interface CompareResponse {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
  readonly old: CompareTotals;
  readonly new: CompareTotals;
  readonly changes: readonly ChangeEntry[];
  readonly has_more: boolean;
}
export interface CompareTotals {
  readonly nodes: number;
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
}
export interface DetailsParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @description The id of a node, a group (`gpt/h/5/`) or a series (`gpt/h/*h.0..h.4/`). */
  readonly id: string;
  /** @default  */
  readonly profile?: string;
  /** @default null */
  readonly baseline_run?: string | null;
  /** @default null */
  readonly baseline_graph?: string | null;
}
export interface DetailsResponse {
  readonly id: string;
  readonly label: string;
  /** @enum {unknown} */
  readonly type: "group" | "op" | "series";
  readonly op: string;
  readonly layer: string;
  readonly device: string;
  readonly source: string;
  readonly code: string;
  readonly nodes: number;
  readonly inputs: readonly LinkEntry[];
  readonly input_count: number;
  readonly outputs: readonly LinkEntry[];
  readonly output_count: number;
  readonly output_shapes: readonly string[];
  readonly attributes: readonly AttributeEntry[];
  readonly weights: readonly WeightEntry[];
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
  readonly trainable_parameters: number;
  readonly multiply_adds: number | null;
  readonly has_unknown_multiply_adds: boolean;
  readonly output_bytes: number | null;
  readonly has_unknown_bytes: boolean;
  readonly time: number | null;
  readonly memory: number | null;
  readonly ops: readonly (readonly [string, number])[];
  readonly tags: readonly TagEntry[];
  readonly groups: readonly string[];
  readonly finding: string;
}
export interface EdgeColumns {
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly count: readonly number[];
  readonly shape: readonly string[];
  readonly bytes: readonly number[];
  readonly is_control: readonly boolean[];
}
/** @description A layer with something wrong. */
export interface FindingEntry {
  readonly id: string;
  readonly label: string;
  readonly word: string;
  readonly sentence: string;
  readonly groups: readonly string[];
}
export interface FoldEntry {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly is_folded: boolean;
}
export interface GraphEntry {
  readonly run: string;
  readonly graph: string;
  readonly title: string;
  readonly version: string;
  readonly profiles: readonly ProfileEntry[];
}
export interface GraphParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
}
export interface GraphsResponse {
  readonly graphs: readonly GraphEntry[];
  readonly more: boolean;
}
export interface LayerTotals {
  readonly parameters: number | null;
  readonly trainable: number;
  readonly has_unknown_parameters: boolean;
  readonly multiply_adds: number | null;
  readonly bytes: number | null;
  readonly time: number | null;
  readonly is_per_example: boolean;
  readonly is_partial: boolean;
}
export interface LayersParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /**
   * @description The tag of the run metadata that has the times. Default: no times.
   * @default
   */
  readonly profile?: string;
}
/** @description Columns, and the totals of the model. `time` is in microseconds. */
export interface LayersResponse {
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly op: readonly string[];
  readonly shape: readonly string[];
  readonly parameters: readonly (number | null)[];
  readonly trainable: readonly number[];
  readonly multiply_adds: readonly (number | null)[];
  readonly bytes: readonly (number | null)[];
  readonly time: readonly (number | null)[];
  readonly has_unknown_parameters: readonly boolean[];
  readonly has_unknown_multiply_adds: readonly boolean[];
  readonly has_unknown_bytes: readonly boolean[];
  readonly depth: readonly number[];
  readonly first_equal: readonly number[];
  readonly totals: LayerTotals;
}
export interface LinkEntry {
  readonly id: string;
  readonly label: string;
  readonly shape: string;
  readonly dtype: string;
  readonly is_control: boolean;
  readonly count: number;
  readonly groups: readonly string[];
}
export interface OverlayBody {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @default null */
  readonly open?: readonly string[] | null;
  /** @default [] */
  readonly unstacked?: readonly string[];
  /** @default [] */
  readonly unfolded?: readonly string[];
  /** @default [] */
  readonly isolated?: readonly string[];
  /** @default null */
  readonly baseline?: RefBody | null;
  /** @default structure */
  readonly colour?: string;
  /** @default  */
  readonly profile?: string;
  /** @default null */
  readonly step?: number | null;
}
/** @description By box: `values` for an overlay of numbers, `names` for one of names. `reason`: why there is nothing. */
export interface OverlayResponse {
  readonly values: readonly (number | null)[] | null;
  readonly names: readonly string[] | null;
  readonly texts: readonly string[] | null;
  readonly unit: string;
  readonly steps: readonly number[];
  readonly findings: readonly FindingEntry[];
  readonly reason: string;
}
export interface PathBody {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @default null */
  readonly open?: readonly string[] | null;
  /** @default [] */
  readonly unstacked?: readonly string[];
  /** @default [] */
  readonly unfolded?: readonly string[];
  /** @default [] */
  readonly isolated?: readonly string[];
  /** @default null */
  readonly baseline?: RefBody | null;
  /** @default  */
  readonly start?: string;
  /** @default  */
  readonly end?: string;
}
export interface PathResponse {
  readonly boxes: readonly string[];
  readonly nodes: readonly string[];
}
export interface ProfileEntry {
  readonly tag: string;
  readonly step: number;
}
export interface RefBody {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
}
export interface SearchParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  readonly text: string;
  /** @default 200 */
  readonly limit?: number;
}
export interface SearchResponse {
  readonly total: number;
  readonly results: readonly SearchResult[];
}
export interface SearchResult {
  readonly id: string;
  readonly label: string;
  readonly above: string;
  readonly op: string;
  readonly shape: string;
  readonly groups: readonly string[];
}
export interface TagEntry {
  readonly kind: string;
  readonly tag: string;
}
export interface TraceBody {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @default null */
  readonly open?: readonly string[] | null;
  /** @default [] */
  readonly unstacked?: readonly string[];
  /** @default [] */
  readonly unfolded?: readonly string[];
  /** @default [] */
  readonly isolated?: readonly string[];
  /** @default null */
  readonly baseline?: RefBody | null;
  /** @default  */
  readonly id?: string;
  /**
   * @default inputs
   * @enum {unknown}
   */
  readonly direction?: "inputs" | "outputs";
  /** @default 6 */
  readonly hops?: number;
}
export interface TraceResponse {
  readonly hops: { readonly [key: string]: number };
}
export interface UploadParameters {
  /** @description The name of the file; its ending names the format. */
  readonly name: string;
}
export interface UploadResponse {
  readonly run: string;
  readonly graph: string;
}
/** @description `open` null: the server chooses a first view. `baseline`: the graph that this one is compared with. */
export interface ViewBody {
  /** @description The run. */
  readonly run: string;
  /** @description `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`, from /graphs. */
  readonly graph: string;
  /** @default null */
  readonly open?: readonly string[] | null;
  /** @default [] */
  readonly unstacked?: readonly string[];
  /** @default [] */
  readonly unfolded?: readonly string[];
  /** @default [] */
  readonly isolated?: readonly string[];
  /** @default null */
  readonly baseline?: RefBody | null;
}
export interface ViewResponse {
  readonly title: string;
  readonly format: string;
  readonly nodes: number;
  readonly edge_count: number;
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
  readonly boxes: BoxColumns;
  readonly edges: EdgeColumns;
  readonly folds: readonly FoldEntry[];
  readonly problems: readonly string[];
  readonly open: readonly string[];
}
export interface WeightEntry {
  readonly id: string;
  readonly label: string;
  readonly shape: string;
  readonly dtype: string;
  readonly count: number | null;
  readonly is_trainable: boolean;
  readonly histogram: string | null;
}
