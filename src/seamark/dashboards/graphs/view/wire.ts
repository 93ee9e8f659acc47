// What the routes of Graphs send and take. Lists of boxes and edges are columns: entry i of each belongs to box i.

/** Names one graph: of a run, or an uploaded file (then `run` is ""). */
export interface GraphRef {
  readonly run: string;
  /** `run_graph`, `profile:TAG`, `keras:TAG`, `file:PATH` or `upload:ID`. */
  readonly graph: string;
}

export interface GraphEntry extends GraphRef {
  readonly title: string;
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
  readonly isOpen: readonly boolean[];
  /** Nodes inside; 1 for a node. */
  readonly count: readonly number[];
  /** Members of a series; 1 otherwise. */
  readonly repeat: readonly number[];
  /** Equal for boxes with equal structure; 0 if nothing else has it. */
  readonly structure: readonly number[];
  readonly parameters: readonly number[];
  /** Set aside because very many edges touch it: drawn at the side, its edges only when it is selected. */
  readonly isAside: readonly boolean[];
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
  readonly isControl: readonly boolean[];
}

/** Nodes that are hidden by default because they are noise. */
export interface FoldKind {
  readonly name: string;
  readonly title: string;
  readonly count: number;
  readonly isFolded: boolean;
}

export interface ViewRequest extends GraphRef {
  /** Ids of open groups. Those inside a closed group have no effect. null: the server chooses a first view. */
  readonly open: readonly string[] | null;
  /** Ids of groups whose series are shown one by one. */
  readonly unstacked: readonly string[];
  /** Names of the kinds of noise to show. */
  readonly unfolded: readonly string[];
  /** Shows only these boxes and what is in them; [] shows all. */
  readonly isolated: readonly string[];
}

export interface VisibleGraph {
  readonly title: string;
  readonly format: string;
  readonly nodes: number;
  readonly edgeCount: number;
  readonly parameters: number;
  readonly boxes: Boxes;
  readonly edges: BoxEdges;
  readonly folds: readonly FoldKind[];
  readonly problems: readonly string[];
  /** The groups that are open, as the next request can state them. */
  readonly open: readonly string[];
}
