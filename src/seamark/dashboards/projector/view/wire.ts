/** What the routes of the Projector take and send. dashboards/projector/wire.py has the same types. */

export type Metric = "cosine" | "euclidean" | "dot";
export type MethodName = "pca" | "tsne" | "umap" | "axes" | "raw" | "random";
export type JobState = "running" | "paused" | "done" | "failed";
export type ColumnType = "number" | "category" | "text";

export interface EmbeddingRef {
  readonly run: string;
  readonly name: string;
}

export interface StepEntry {
  readonly step: number;
  readonly name: string;
}

/** One embedding, or all steps of one; `name` is that of the last step. */
export interface EmbeddingEntry extends EmbeddingRef {
  readonly title: string;
  readonly steps: readonly StepEntry[];
}

export interface EmbeddingList {
  readonly embeddings: readonly EmbeddingEntry[];
  readonly more: boolean;
  readonly problems: readonly ListingProblem[];
}

/** Why a config or file of a run has no embedding in the list. */
export interface ListingProblem {
  readonly run: string;
  /** In the folder of the run. */
  readonly path: string;
  readonly message: string;
}

export interface ColumnEntry {
  readonly name: string;
  readonly type: ColumnType;
  /** Names that it has; 0 for numbers. */
  readonly distinct: number;
  /** Also of a category of whole numbers, which queries compare with numbers. */
  readonly has_numbers: boolean;
}

export interface ThumbnailsEntry {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
}

export interface EmbeddingInfo {
  readonly rows: number;
  readonly dimensions: number;
  readonly dtype: string;
  readonly content_id: string;
  /** Rows with NaN or infinite numbers. */
  readonly left_out: number;
  readonly columns: readonly ColumnEntry[];
  readonly thumbnails: ThumbnailsEntry | null;
  readonly has_bookmarks: boolean;
  readonly problems: readonly string[];
}

/** The mean of the rows that match a text in a column; "" is any column. */
export interface AxisEnd {
  readonly text: string;
  readonly column: string;
  readonly is_regex: boolean;
}

export interface CustomAxis {
  readonly start: AxisEnd;
  readonly end: AxisEnd;
}

/** A method and its parameters; those of other methods are ignored. 0 means automatic. */
export interface Method {
  readonly method: MethodName;
  readonly dims: 2 | 3;
  /** PCA: the components to show; raw: the dimensions. Empty: the first ones. */
  readonly components: readonly number[];
  readonly axes: readonly CustomAxis[];
  readonly perplexity: number;
  readonly learning_rate: number;
  readonly neighbours: number;
  readonly min_distance: number;
  readonly metric: Metric;
  readonly epochs: number;
  readonly supervise: number;
  readonly supervise_by: string;
  readonly seed: number;
  readonly max_rows: number;
  /** Only rows that match. */
  readonly query: string;
}

export interface Preparation {
  readonly normalize: boolean;
  readonly center: boolean;
  readonly sphereize: boolean;
}

export interface ProjectionRequest extends EmbeddingRef, Preparation {
  readonly method: Method;
  /** The embedding of the same run to align with; "" is none. */
  readonly align_to: string;
}

/** Positions by row: NaN where a row is not placed. */
export interface Projection {
  readonly key: string;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Null in two dimensions. */
  readonly z: Float32Array | null;
  /** Rows of the embedding, which is the length of the columns. */
  readonly total: number;
  /** Rows that are placed. */
  readonly placed: number;
  /** Rows that the method was fitted to. */
  readonly used: number;
  readonly state: JobState;
  readonly epoch: number;
  readonly epochs: number;
  readonly secs_left: number | null;
  /** Of the axes; empty where they mean nothing. */
  readonly titles: readonly string[];
  /** PCA: the share that each component explains. */
  readonly variance: readonly number[];
  readonly notes: readonly string[];
  readonly error: string;
}

/** One column of the metadata. */
export interface MetadataColumn {
  readonly type: ColumnType;
  /** By row: a number (NaN where it is missing), or the position in `names` (-1 where it is missing). */
  readonly values: Float32Array | Int32Array;
  /** Of a category, by descending frequency. */
  readonly names: readonly string[];
  /** By name: the position of its colour, which is the same in columns with common names. Default: that of the name. */
  readonly styles?: readonly number[];
}

export interface RowTexts {
  readonly columns: readonly string[];
  /** For each row of the request. */
  readonly values: readonly (readonly string[])[];
}

export interface NeighboursRequest extends ProjectionRequest {
  readonly row: number;
  readonly count: number;
  readonly distance: Metric;
}

export interface Neighbours {
  readonly rows: readonly number[];
  readonly distances: readonly number[];
  readonly labels: readonly string[];
  /** The rank of each among the neighbours in the picture, from 1; 0 if it is not in it. */
  readonly picture_ranks: readonly number[];
  readonly kept: number;
  /** Rows that were compared. */
  readonly compared: number;
  readonly secs: number;
  readonly histogram_counts: readonly number[];
  readonly histogram_edges: readonly number[];
}

/** How well the picture keeps neighbourhoods. */
export interface Quality {
  readonly trustworthiness: number;
  readonly continuity: number;
  readonly count: number;
  /** Rows that it was computed for. */
  readonly sampled: number;
  /** By row: the share of its neighbours that the picture keeps; NaN where it is not known. */
  readonly kept: Float32Array;
  /** By row: its part of the trustworthiness, which is the mean of these; NaN where it is not known. */
  readonly trust: Float32Array;
}

export interface ClustersRequest extends ProjectionRequest {
  /** `column:NAME`, `kmeans` or `density`. */
  readonly by: string;
  readonly clusters: number;
  readonly space: "vectors" | "picture";
  readonly label_by: string;
}

export interface ClusterEntry {
  readonly name: string;
  readonly points: number;
  readonly share: number;
  readonly trust: number | null;
}

export interface Clusters {
  readonly clusters: readonly ClusterEntry[];
  /** How they were found, as a sentence. */
  readonly method: string;
  /** By row: the position in `clusters`; -1 for none. */
  readonly codes: Int32Array;
}

export interface Outliers {
  readonly rows: readonly number[];
  readonly scores: readonly number[];
  readonly method: string;
}

export interface Duplicates {
  readonly groups: readonly (readonly number[])[];
  readonly rows: number;
}

/** How far points move from step to step. */
export interface Movement {
  /** One less than steps: the mean distance from the step before. */
  readonly means: readonly number[];
  /** By row: how far it moved over all the steps. */
  readonly moved: Float32Array;
}

/** By row: the share of neighbours that it has in both of two embeddings. */
export interface SharedNeighbours {
  readonly mean: number;
  readonly count: number;
  readonly shared: Float32Array;
}
