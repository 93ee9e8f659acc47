/** Requests of What-If. */

import { requestBlock, requestBytes, requestJson, type DashboardContext } from "$public/core";
import type { PredictionWait } from "./state/prediction_wait";
import type {
  ColumnParameters,
  ExportBody,
  FilterBody,
  InfoResponse,
  PictureParameters,
  RowsBody,
  RowsResponse,
  SchemaBody,
  SetParameters,
  SetsResponse,
  UploadResponse,
  WorstSlicesBody,
  WorstSlicesResult,
} from "./wire";

/** One column for every row: numbers with NaN where missing, or codes of names with −1 where missing. */
export interface ColumnValues {
  readonly type: string;
  readonly values: Float32Array | Int32Array;
  /** Of codes; empty for numbers. */
  readonly names: readonly string[];
}

/** Routes that need the predictions of a model for all rows. */
const OF_PREDICTIONS: ReadonlySet<string> = new Set([
  ...["performance", "worst_slices", "attributions", "counterfactual", "neighbours"],
]);
const isComputed = (column: string): boolean => column.startsWith("=");

export class WhatIfRequests {
  constructor(
    private readonly context: DashboardContext,
    private readonly wait: PredictionWait,
  ) {}

  sets(signal?: AbortSignal): Promise<SetsResponse> {
    return this.get("sets", {}, signal);
  }

  info(set: SetParameters, signal?: AbortSignal): Promise<InfoResponse> {
    return this.get("info", set, signal);
  }

  async column(parameters: ColumnParameters, signal?: AbortSignal): Promise<ColumnValues> {
    const models = parameters.column !== undefined && isComputed(parameters.column) ? modelsOf(parameters) : [];
    const { header, columns } = await this.wait.send(
      models,
      () => requestBlock(this.context.address("column", { ...parameters }), { signal }),
      signal,
    );
    return {
      type: String(header.type),
      values: columns.values as Float32Array | Int32Array,
      names: (header.names as readonly string[] | undefined) ?? [],
    };
  }

  rows(body: RowsBody, signal?: AbortSignal): Promise<RowsResponse> {
    const models = body.columns?.some(isComputed) ? modelsOf(body) : [];
    return this.wait.send(models, () => this.#post("rows", body, signal), signal);
  }

  /** The rows that match, in ascending order. */
  async matching(body: FilterBody, signal?: AbortSignal): Promise<Uint32Array> {
    const { columns } = await this.wait.send(
      [],
      () => requestBlock(this.context.address("filter"), { body, signal }),
      signal,
    );
    return columns.rows as Uint32Array;
  }

  pictureAddress(parameters: PictureParameters): string {
    return this.context.address("picture", { ...parameters });
  }

  saveSchema(body: SchemaBody): Promise<InfoResponse> {
    return this.post("schema", body);
  }

  worstSlices(body: WorstSlicesBody, signal?: AbortSignal): Promise<WorstSlicesResult> {
    return this.post("worst_slices", body, signal);
  }

  /** Sends a file to this machine's server. */
  upload(file: File): Promise<UploadResponse> {
    return requestJson(this.context.address("upload", { name: file.name }), { body: file }) as Promise<UploadResponse>;
  }

  export(body: ExportBody): Promise<ArrayBuffer> {
    return this.wait.send(modelsOf(body), () => requestBytes(this.context.address("export"), { body }));
  }

  /** A GET of one of the routes whose response is JSON. */
  get<Value>(path: string, parameters: object, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path, { ...parameters }), { signal }) as Promise<Value>;
  }

  /** A POST to one of the routes whose response is JSON. */
  post<Value>(path: string, body: object, signal?: AbortSignal): Promise<Value> {
    const models = OF_PREDICTIONS.has(path) ? modelsOf(body) : [];
    return this.wait.send(models, () => this.#post(path, body, signal), signal);
  }

  #post<Value>(path: string, body: object, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path), { body, signal }) as Promise<Value>;
  }
}

/** The models that a request names; "" is the first one. */
function modelsOf({ model = "", model2 }: { readonly model?: string; readonly model2?: string }): readonly string[] {
  return model2 === undefined ? [model] : [model, model2];
}
