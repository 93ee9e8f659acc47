/** Trials, the rows of HParams: windows of them as a table, and columns of all of them for pictures. See docs/http.md. */

import { requestBlock, requestJson } from "./request";
import {
  readColumn,
  withQueryErrors,
  type Cell,
  type ColumnType,
  type TablePage,
  type TableRequest,
  type TrialSelection,
} from "./table";
import type * as Wire from "./wire_types";

export type TrialsRequest = TableRequest & TrialSelection & Pick<Wire.TrialRowsBody, "results_first">;
export type TrialColumnsRequest = TrialSelection & { readonly columns: readonly string[] };

/** A value per trial. */
export interface TrialValues {
  readonly id: string;
  readonly type: ColumnType;
  /** Numbers, or indices in `categories`; NaN where there is no finite value. */
  readonly numbers: Float64Array;
  /** 0 for a value, 1 where it is missing, 2 for NaN and the infinities. */
  readonly states: Uint8Array;
  /** The distinct values of text, booleans and lists, sorted; null for numbers. */
  readonly categories: readonly Cell[] | null;
}

export interface TrialColumns {
  readonly version: number | string;
  /** How many trials there are without the query and the conditions. */
  readonly total: number;
  /** The runs of each trial. */
  readonly runs: readonly (readonly string[])[];
  readonly columns: readonly TrialValues[];
}

export async function fetchTrials(request: TrialsRequest, signal?: AbortSignal): Promise<TablePage> {
  const page = await withQueryErrors(requestJson<TablePage>("api/trials", { body: request, signal }));
  return { ...page, columns: page.columns.map(readColumn) };
}

interface Header {
  readonly version: number | string;
  readonly total: number;
  readonly runs: readonly (string | readonly string[])[];
  readonly values: readonly Pick<TrialValues, "id" | "type" | "categories">[];
}

export async function fetchTrialColumns(request: TrialColumnsRequest, signal?: AbortSignal): Promise<TrialColumns> {
  const block = await withQueryErrors(requestBlock("api/trials/columns", { body: request, signal }));
  const { version, total, runs, values } = block.header as unknown as Header;
  return {
    version,
    total,
    runs: runs.map((one) => (typeof one === "string" ? [one] : one)),
    columns: values.map((entry, at) => ({
      ...entry,
      numbers: block.columns[`number${at}`] as Float64Array,
      states: block.columns[`state${at}`] as Uint8Array,
    })),
  };
}
