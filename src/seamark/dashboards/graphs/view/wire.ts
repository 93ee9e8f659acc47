// What the routes of Graphs send and take. Lists of boxes and edges are columns: entry i of each belongs to box i.

/** Names one graph: of a run, or an uploaded file (then `run` is ""). */
export interface GraphRef {
  readonly run: string;
  /** `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`. */
  readonly graph: string;
}

export interface GraphEntry extends GraphRef {
  readonly title: string;
  /** Another one when it was logged again. */
  readonly version: string;
  /** Steps with run metadata, for overlays of time and memory. */
  readonly profiles: readonly { readonly tag: string; readonly step: number }[];
}

/**
 * One box that is visible with some groups open. `op`: a node; `group`: a namespace; `series`: equal groups or nodes in
 * a row, as a stack.
 */
export type BoxType = "op" | "group" | "series";

export interface Boxes {
  /** A node's id, a group's ("gpt/h/5/"), or a series' ("gpt/h/*0..4/"). */
  readonly id: readonly string[];
  readonly label: readonly string[];
  readonly type: readonly BoxType[];
  /** The operation of a node, the class of a group. */
  readonly op: readonly string[];
  /** The index of the open group around it; -1 at the top. Parents come before their children. */
  readonly parent: readonly number[];
  readonly is_open: readonly boolean[];
  /** Nodes inside; 1 for a node. */
  readonly count: readonly number[];
  /** Members of a series; 1 otherwise. */
  readonly repeat: readonly number[];
  /** Equal for boxes with equal structure; 0 if nothing else has it. */
  readonly structure: readonly number[];
  /** null: not known. */
  readonly parameters: readonly (number | null)[];
  /** There are more parameters, of a number that is not known. */
  readonly has_unknown_parameters: readonly boolean[];
  /** Set aside because very many edges touch it: drawn at the side, its edges only when it is selected. */
  readonly is_aside: readonly boolean[];
}

/** Edges between boxes that are not open. */
export interface BoxEdges {
  readonly source: readonly number[];
  readonly target: readonly number[];
  /** Edges of the graph in this one. */
  readonly count: readonly number[];
  /** "8×1024×768", or "" if they differ or are not known. */
  readonly shape: readonly string[];
  /** -1 if not known. */
  readonly bytes: readonly number[];
  readonly is_control: readonly boolean[];
}

/** Nodes that are hidden by default because they are noise. */
export interface FoldKind {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly is_folded: boolean;
}

export interface ViewRequest extends GraphRef {
  /**
   * Ids of open groups. Those inside a closed group have no effect. An id with "**" at its end opens all groups below,
   * too. null: the server chooses a first view.
   */
  readonly open: readonly string[] | null;
  /** Ids of groups whose series are shown one by one, and of members of series that are shown alone. */
  readonly unstacked: readonly string[];
  /** Names of the kinds of noise to show. */
  readonly unfolded: readonly string[];
  /** Shows only these boxes and what is in them; [] shows all. */
  readonly isolated: readonly string[];
  /** The graph that this one is compared with. */
  readonly baseline: GraphRef | null;
}

export interface VisibleGraph {
  readonly title: string;
  readonly format: string;
  readonly nodes: number;
  readonly edge_count: number;
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
  readonly boxes: Boxes;
  readonly edges: BoxEdges;
  readonly folds: readonly FoldKind[];
  readonly problems: readonly string[];
  /** The groups that are open, as the next request can state them. */
  readonly open: readonly string[];
}

/** A layer with something wrong. */
export interface LayerFinding {
  readonly id: string;
  readonly label: string;
  readonly word: string;
  readonly sentence: string;
  readonly groups: readonly string[];
}

export interface Overlay {
  /** By box, for an overlay of numbers. */
  readonly values: readonly (number | null)[] | null;
  /** By box, for an overlay of names. */
  readonly names: readonly string[] | null;
  /** By box: a sentence about it, such as a finding. */
  readonly texts: readonly string[] | null;
  /** "count", "bytes", "µs" or "norm". */
  readonly unit: string;
  /** The steps that a slider offers. */
  readonly steps: readonly number[];
  /** Of all layers, open or not: the one where NaN began first, then the worst. */
  readonly findings: readonly LayerFinding[];
  /** Why there is nothing to colour by. */
  readonly reason: string;
}

export interface OverlayRequest extends ViewRequest {
  readonly colour: string;
  readonly profile: string;
  readonly step: number | null;
}

export interface SearchResult {
  readonly id: string;
  readonly label: string;
  /** The groups around it, as people read them. */
  readonly above: string;
  readonly op: string;
  readonly shape: string;
  /** Ids of the groups to open to see it. */
  readonly groups: readonly string[];
}

export interface SearchResponse {
  readonly total: number;
  readonly results: readonly SearchResult[];
}

export interface Link {
  readonly id: string;
  readonly label: string;
  readonly shape: string;
  readonly dtype: string;
  readonly is_control: boolean;
  readonly count: number;
  readonly groups: readonly string[];
}

export interface BoxDetails {
  readonly id: string;
  readonly label: string;
  readonly type: BoxType;
  readonly op: string;
  readonly layer: string;
  readonly device: string;
  readonly source: string;
  readonly code: string;
  readonly nodes: number;
  readonly inputs: readonly Link[];
  readonly input_count: number;
  readonly outputs: readonly Link[];
  readonly output_count: number;
  readonly output_shapes: readonly string[];
  /** `bytes`: the value is cut, or was too large to be stored. */
  readonly attributes: readonly { readonly name: string; readonly value: string; readonly bytes: number | null }[];
  readonly weights: readonly {
    readonly id: string;
    readonly label: string;
    readonly shape: string;
    readonly dtype: string;
    readonly count: number | null;
    readonly is_trainable: boolean;
    readonly histogram: string | null;
  }[];
  /** null: not known. With `has_unknown_…` a number is a part of all. */
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
  readonly trainable_parameters: number;
  readonly multiply_adds: number | null;
  readonly has_unknown_multiply_adds: boolean;
  readonly output_bytes: number | null;
  /** From run metadata; in microseconds and bytes. */
  readonly time: number | null;
  readonly memory: number | null;
  readonly has_unknown_bytes: boolean;
  readonly ops: readonly (readonly [string, number])[];
  /** Logged under the same name. */
  readonly tags: readonly { readonly kind: string; readonly tag: string }[];
  /** Ids of the groups around it. */
  readonly groups: readonly string[];
  /** What is wrong with it, from what was logged under its name; "" for nothing. */
  readonly finding: string;
}

/** The layers table: columns. */
export interface Layers {
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly op: readonly string[];
  readonly shape: readonly string[];
  /** null: not known. With `has_unknown_…` a number is a part of all. */
  readonly parameters: readonly (number | null)[];
  readonly trainable: readonly number[];
  readonly multiply_adds: readonly (number | null)[];
  readonly bytes: readonly (number | null)[];
  /** In microseconds, from run metadata. */
  readonly time: readonly (number | null)[];
  readonly has_unknown_parameters: readonly boolean[];
  readonly has_unknown_multiply_adds: readonly boolean[];
  readonly has_unknown_bytes: readonly boolean[];
  readonly depth: readonly number[];
  /** The first layer of equal content, shape and name but for numbers: "h.0.attn" for "h.5.attn". */
  readonly first_equal: readonly number[];
  readonly totals: {
    readonly parameters: number | null;
    readonly trainable: number;
    readonly has_unknown_parameters: boolean;
    readonly multiply_adds: number | null;
    readonly bytes: number | null;
    readonly time: number | null;
    /** The size of the batch is not known: multiply-adds and bytes are those of one example. */
    readonly is_per_example: boolean;
    /** Operations with multiply-adds have unknown shapes: there are more. */
    readonly is_partial: boolean;
  };
}

export type ChangeState = "added" | "removed" | "changed";

export interface GraphTotals {
  readonly nodes: number;
  readonly parameters: number | null;
  readonly has_unknown_parameters: boolean;
}

export interface Comparison {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
  /** The baseline, and the graph that is compared with it. */
  readonly old: GraphTotals;
  readonly new: GraphTotals;
  /** `what`: what differs, in words. */
  readonly changes: readonly {
    readonly id: string;
    readonly label: string;
    readonly state: ChangeState;
    readonly op: string;
    readonly what: string;
    readonly groups: readonly string[];
  }[];
}
