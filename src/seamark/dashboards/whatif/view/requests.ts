/** Requests of What-If. */

import { requestBlock, requestBytes, requestJson, type DashboardContext } from "$public/core";
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
} from "./wire/sets";
import type { WorstSlicesBody } from "./wire/analyses";
import type { WorstSlicesResult } from "./wire/slices";

/** One column for every row: numbers with NaN where missing, or codes of names with −1 where missing. */
export interface ColumnValues {
  readonly type: string;
  readonly values: Float32Array | Int32Array;
  /** Of codes; empty for numbers. */
  readonly names: readonly string[];
}

export class WhatIfRequests {
  constructor(private readonly context: DashboardContext) {}

  sets(signal?: AbortSignal): Promise<SetsResponse> {
    return this.get("sets", {}, signal);
  }

  info(set: SetParameters, signal?: AbortSignal): Promise<InfoResponse> {
    return this.get("info", set, signal);
  }

  async column(parameters: ColumnParameters, signal?: AbortSignal): Promise<ColumnValues> {
    const { header, columns } = await requestBlock(this.context.address("column", { ...parameters }), { signal });
    return {
      type: String(header.type),
      values: columns.values as Float32Array | Int32Array,
      names: (header.names as readonly string[] | undefined) ?? [],
    };
  }

  rows(body: RowsBody, signal?: AbortSignal): Promise<RowsResponse> {
    return this.post("rows", body, signal);
  }

  /** The rows that match, in ascending order. */
  async matching(body: FilterBody, signal?: AbortSignal): Promise<Uint32Array> {
    const { columns } = await requestBlock(this.context.address("filter"), { body, signal });
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
    return requestBytes(this.context.address("export"), { body });
  }

  /** A GET of one of the routes whose response is JSON. */
  get<Value>(path: string, parameters: object, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path, { ...parameters }), { signal }) as Promise<Value>;
  }

  /** A POST to one of the routes whose response is JSON. */
  post<Value>(path: string, body: object, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path), { body, signal }) as Promise<Value>;
  }
}
