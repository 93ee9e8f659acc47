/** What the routes of the Projector take and send, with the names that the view has for it. Columns are typed arrays. */

import type * as Wire from "./wire_types";

export type * from "./wire_types";
export type MethodName = Required<Wire.MethodBody>["method"];
export type Metric = Required<Wire.MethodBody>["metric"];
export type JobState = Wire.JobResponse["state"];
export type ColumnType = Wire.ColumnEntry["type"];
export type EmbeddingRef = Wire.EmbeddingParameters;
export type EmbeddingList = Wire.EmbeddingsResponse;
export type EmbeddingInfo = Wire.InfoResponse;
export type RowTexts = Wire.RowsResponse;
export type Neighbours = Wire.NeighboursResponse;
export type Outliers = Wire.OutliersResponse;
export type Duplicates = Wire.DuplicatesResponse;
/** The mean of the rows that match a text in a column; "" is any column. */
export type AxisEnd = Required<Wire.AxisEnd>;

export interface CustomAxis {
  readonly start: AxisEnd;
  readonly end: AxisEnd;
}

/** A method and its parameters; those of other methods are ignored. 0 means automatic. */
export interface Method extends Required<Omit<Wire.MethodBody, "axes">> {
  readonly axes: readonly CustomAxis[];
}

export type Preparation = Required<Pick<Wire.ProjectionBody, "normalize" | "center" | "sphereize">>;

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

export type NeighboursRequest = ProjectionRequest & Required<Pick<Wire.NeighboursBody, "row" | "count" | "distance">>;

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

export type ClustersRequest = ProjectionRequest &
  Required<Pick<Wire.ClustersBody, "by" | "clusters" | "space" | "label_by">>;

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
