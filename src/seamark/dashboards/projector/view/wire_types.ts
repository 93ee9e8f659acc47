// What the server sends and takes: written by tools/page_types.py from the server's structs.

export interface Axis {
  readonly start: AxisEnd;
  readonly end: AxisEnd;
}
/** @description The mean of the rows that match a text in a column, as in TensorBoard's custom projections. */
export interface AxisEnd {
  readonly text: string;
  /** @default  */
  readonly column?: string;
  /** @default false */
  readonly is_regex?: boolean;
}
/** @description `by`: `column:NAME`, `kmeans` or `density`; the last two take the vectors, or the picture. */
export interface ClustersBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
  /** @default kmeans */
  readonly by?: string;
  /** @default 0 */
  readonly clusters?: number;
  /**
   * @default vectors
   * @enum {unknown}
   */
  readonly space?: "picture" | "vectors";
  /** @default  */
  readonly label_by?: string;
}
export interface ColumnEntry {
  readonly name: string;
  /** @enum {unknown} */
  readonly type: "category" | "number" | "text";
  readonly distinct: number;
  readonly has_numbers: boolean;
}
export interface ColumnParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly column: string;
}
export interface DistancesBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
  /** @default 0 */
  readonly row?: number;
  /**
   * @description How distances are measured.
   * @default cosine
   * @enum {unknown}
   */
  readonly distance?: "cosine" | "dot" | "euclidean";
}
export interface DuplicatesResponse {
  readonly groups: readonly (readonly number[])[];
  readonly rows: number;
}
/** @description One embedding, or all steps of one; `name` is that of the last step. */
export interface EmbeddingEntry {
  readonly run: string;
  readonly name: string;
  readonly title: string;
  readonly steps: readonly StepEntry[];
}
export interface EmbeddingParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
}
export interface EmbeddingsResponse {
  readonly embeddings: readonly EmbeddingEntry[];
  readonly more: boolean;
  readonly problems: readonly ListingProblem[];
}
export interface ExportBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  /** @enum {unknown} */
  readonly format: "csv" | "npy" | "parquet";
  /** @default null */
  readonly rows?: readonly number[] | null;
  /** @default null */
  readonly picture?: ProjectionBody | null;
}
export interface FilterParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly query: string;
}
export interface FindingsBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
  /** @default 200 */
  readonly limit?: number;
}
export interface InfoResponse {
  readonly rows: number;
  readonly dimensions: number;
  readonly dtype: string;
  readonly content_id: string;
  readonly left_out: number;
  readonly columns: readonly ColumnEntry[];
  readonly thumbnails: ThumbnailsEntry | null;
  readonly has_bookmarks: boolean;
  readonly problems: readonly string[];
}
/** @description `key` is that of a projection. */
export interface JobBody {
  readonly key: string;
  /** @enum {unknown} */
  readonly action: "pause" | "restart" | "resume";
}
export interface JobResponse {
  /** @enum {unknown} */
  readonly state: "done" | "failed" | "paused" | "running";
}
/** @description Why a config or file of a run has no embedding in the list. */
export interface ListingProblem {
  readonly run: string;
  readonly path: string;
  readonly message: string;
}
/** @description A method and its parameters; those of other methods are ignored. 0 means automatic. */
export interface MethodBody {
  /**
   * @default pca
   * @enum {unknown}
   */
  readonly method?: "axes" | "pca" | "random" | "raw" | "tsne" | "umap";
  /**
   * @default 2
   * @enum {unknown}
   */
  readonly dims?: 2 | 3;
  /** @default [] */
  readonly components?: readonly number[];
  /** @default [] */
  readonly axes?: readonly Axis[];
  /** @default 30 */
  readonly perplexity?: number;
  /** @default 0 */
  readonly learning_rate?: number;
  /** @default 15 */
  readonly neighbours?: number;
  /** @default 0.1 */
  readonly min_distance?: number;
  /**
   * @default euclidean
   * @enum {unknown}
   */
  readonly metric?: "cosine" | "dot" | "euclidean";
  /** @default 0 */
  readonly epochs?: number;
  /** @default 0 */
  readonly supervise?: number;
  /** @default  */
  readonly supervise_by?: string;
  /** @default 42 */
  readonly seed?: number;
  /** @default 50000 */
  readonly max_rows?: number;
  /** @default  */
  readonly query?: string;
}
/** @description How far points move from step to step of one embedding; `names` in order. */
export interface MovementBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  /** @default [] */
  readonly names?: readonly string[];
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
}
/** @description The projection is needed for the ranks in the picture. */
export interface NeighboursBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
  /** @default 0 */
  readonly row?: number;
  /** @default 10 */
  readonly count?: number;
  /**
   * @description How distances are measured.
   * @default cosine
   * @enum {unknown}
   */
  readonly distance?: "cosine" | "dot" | "euclidean";
}
export interface NeighboursResponse {
  readonly rows: readonly number[];
  readonly distances: readonly number[];
  readonly labels: readonly string[];
  readonly picture_ranks: readonly number[];
  readonly kept: number;
  readonly compared: number;
  readonly secs: number;
  readonly histogram_counts: readonly number[];
  readonly histogram_edges: readonly number[];
}
export interface OutliersResponse {
  readonly rows: readonly number[];
  readonly scores: readonly number[];
  readonly method: string;
}
export interface ProjectionBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
}
export interface QualityBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly method?: MethodBody;
  /** @default false */
  readonly normalize?: boolean;
  /** @default true */
  readonly center?: boolean;
  /** @default false */
  readonly sphereize?: boolean;
  /** @default  */
  readonly align_to?: string;
  /** @default 0 */
  readonly sample?: number;
  /** @default  */
  readonly start?: string;
  /** @default -1 */
  readonly after?: number;
  /** @default 10 */
  readonly count?: number;
  /**
   * @description How distances are measured.
   * @default euclidean
   * @enum {unknown}
   */
  readonly distance?: "cosine" | "dot" | "euclidean";
}
export interface RowsBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly rows: readonly number[];
  /** @default null */
  readonly columns?: readonly string[] | null;
}
export interface RowsResponse {
  readonly columns: readonly string[];
  readonly values: readonly (readonly string[])[];
}
export interface SearchParameters {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  readonly text: string;
  /** @default  */
  readonly column?: string;
  /** @default false */
  readonly is_regex?: boolean;
}
export interface SharedBody {
  /** @description The run. */
  readonly run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly name: string;
  /** @description The run. */
  readonly other_run: string;
  /** @description `config:TENSOR`, `file:PATH`, `file:PATH#ARRAY` or `upload:ID`, from /embeddings. */
  readonly other_name: string;
  /** @default 10 */
  readonly count?: number;
  /**
   * @description How distances are measured.
   * @default cosine
   * @enum {unknown}
   */
  readonly distance?: "cosine" | "dot" | "euclidean";
}
export interface StepEntry {
  readonly step: number;
  readonly name: string;
}
export interface ThumbnailsEntry {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
}
export interface UploadParameters {
  /** @description The file's name; its ending says what it is. */
  readonly name: string;
  /** @default  */
  readonly metadata_of?: string;
}
export interface UploadResponse {
  readonly run: string;
  readonly name: string;
}
