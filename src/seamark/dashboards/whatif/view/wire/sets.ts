/** Sets, their columns and rows. The same types as in Python. */

import type { Condition, Schema } from "./result";

export interface SetEntry {
  readonly run: string;
  readonly name: string;
  readonly title: string;
  readonly steps: readonly number[];
}

export interface SetsResponse {
  readonly sets: readonly SetEntry[];
  readonly more: boolean;
  readonly can_predict: boolean;
  readonly problems: readonly string[];
}

/** `step`: of a logged set, the step whose predictions are meant; -1: the last. */
export interface SetParameters {
  readonly run: string;
  readonly name: string;
  readonly step?: number;
}

export interface ColumnEntry {
  readonly name: string;
  readonly type: "number" | "category" | "boolean" | "text" | "image";
  readonly role: "feature" | "truth" | "prediction" | "id" | "split" | "weight" | "group" | "ignored";
  readonly model: string;
  readonly predicted_class: string;
  readonly distinct: number;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly names: readonly string[];
  readonly is_whole: boolean;
}

/** `source`: where the predictions come from: "columns", "process", "http" or "logged". */
export interface ModelEntry {
  readonly name: string;
  readonly source: "columns" | "process" | "http" | "logged";
  readonly can_predict: boolean;
  readonly classes: readonly string[];
  readonly row_ms: number | null;
  readonly error: string;
  readonly traceback: string;
  readonly progress: number;
  readonly note: string;
}

export interface InfoResponse {
  readonly rows: number;
  readonly content_id: string;
  readonly task: "binary" | "multiclass" | "regression" | "ranking";
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

/** `schema` None removes the corrections. Columns that it does not name are inferred; an empty target is none. */
export interface SchemaBody extends SetParameters {
  readonly schema: Schema | null;
}

/** The rows that match a query and all conditions; empty: all rows. */
export interface RowFilter {
  readonly query?: string;
  readonly conditions?: readonly Condition[];
}

/**
 * `column` is the name of a column, or one that is computed:
 *
 * `=score`, `=predicted`, `=error`, `=correct` of `model`; `=difference` of the scores of `model` and `model2`;
 * `=distance` from `row`; `=score:CLASS` of a multi-class model.
 */
export interface ColumnParameters extends SetParameters {
  readonly column?: string;
  readonly model?: string;
  readonly model2?: string;
  readonly row?: number;
  readonly threshold?: number;
}

export interface FilterBody extends SetParameters {
  readonly filter?: RowFilter;
  readonly model?: string;
  readonly threshold?: number;
}

/** `columns` empty: all. */
export interface RowsBody extends SetParameters {
  readonly rows?: readonly number[];
  readonly columns?: readonly string[];
  readonly model?: string;
  readonly threshold?: number;
}

/** `values[i]` is the row `rows[i]`, in the order of `columns`. */
export interface RowsResponse {
  readonly rows: readonly number[];
  readonly columns: readonly string[];
  readonly values: readonly (readonly (number | boolean | string | null)[])[];
}

export interface PictureParameters extends SetParameters {
  readonly column?: string;
  readonly row?: number;
}

/** The rows of the filter with the predictions of `model`; `rows` empty: all that match. */
export interface ExportBody extends FilterBody {
  readonly rows?: readonly number[];
  readonly format?: "csv" | "parquet" | "jsonl";
}

export interface UploadParameters {
  readonly name: string;
}

export interface UploadResponse {
  readonly run: string;
  readonly name: string;
}
