/** Requests of the Projector. */

import { requestBlock, requestBytes, requestJson, type DashboardContext } from "$public/core";
import { byRow } from "./model";
import type {
  Clusters,
  ClustersRequest,
  Duplicates,
  EmbeddingInfo,
  EmbeddingList,
  EmbeddingRef,
  MetadataColumn,
  Metric,
  Movement,
  Neighbours,
  NeighboursRequest,
  Outliers,
  Preparation,
  Projection,
  ProjectionRequest,
  Quality,
  RowTexts,
  SharedNeighbours,
} from "./wire";

type Header<Value> = Omit<
  Value,
  "x" | "y" | "z" | "values" | "kept" | "trust" | "codes" | "moved" | "shared" | "placed"
>;

export class ProjectorRequests {
  constructor(private readonly context: DashboardContext) {}

  list(signal?: AbortSignal): Promise<EmbeddingList> {
    return this.#get("embeddings", {}, signal);
  }

  info(ref: EmbeddingRef, signal?: AbortSignal): Promise<EmbeddingInfo> {
    return this.#get("info", of(ref), signal);
  }

  /** `after`: waits for a later epoch, at most a second. `sample`: only so many random rows. `start`: the key of a picture to begin with. */
  async projection(
    request: ProjectionRequest,
    { after = -1, sample = 0, start = "" } = {},
    signal?: AbortSignal,
  ): Promise<Projection> {
    const block = await this.#columns("projection", { ...request, after, sample, start }, signal);
    const header = block.header as unknown as Header<Projection>;
    const rows = block.columns.rows as Uint32Array | undefined;
    const place = (name: string): Float32Array => byRow(block.columns[name] as Float32Array, rows, header.total);
    const placed = block.columns.x!.length;
    return { ...header, placed, x: place("x"), y: place("y"), z: block.columns.z ? place("z") : null };
  }

  job(key: string, action: "pause" | "resume" | "restart"): Promise<unknown> {
    return requestJson(this.context.address("job"), { body: { key, action } });
  }

  async column(ref: EmbeddingRef, column: string, signal?: AbortSignal): Promise<MetadataColumn> {
    const { header, columns } = await requestBlock(this.context.address("column", { ...of(ref), column }), { signal });
    return { ...(header as unknown as Header<MetadataColumn>), values: columns.values as Float32Array | Int32Array };
  }

  /** The texts of some rows; all columns without a list. */
  texts(
    ref: EmbeddingRef,
    rows: readonly number[],
    columns: readonly string[] | null = null,
    signal?: AbortSignal,
  ): Promise<RowTexts> {
    return this.#post("rows", { ...of(ref), rows, columns }, signal);
  }

  search(
    ref: EmbeddingRef,
    { text, column, is_regex }: { text: string; column: string; is_regex: boolean },
    signal?: AbortSignal,
  ): Promise<Uint32Array> {
    return this.#rows(this.context.address("search", { ...of(ref), text, column, is_regex }), signal);
  }

  matching(ref: EmbeddingRef, query: string, signal?: AbortSignal): Promise<Uint32Array> {
    return this.#rows(this.context.address("filter", { ...of(ref), query }), signal);
  }

  leftOut(ref: EmbeddingRef, signal?: AbortSignal): Promise<Uint32Array> {
    return this.#rows(this.context.address("left_out", of(ref)), signal);
  }

  neighbours(request: NeighboursRequest, signal?: AbortSignal): Promise<Neighbours> {
    return this.#post("neighbours", request, signal);
  }

  /** From a row to every row; not finite for rows that are left out. */
  async distances(
    request: ProjectionRequest & { readonly row: number; readonly distance: Metric },
    signal?: AbortSignal,
  ): Promise<Float32Array> {
    return (await this.#columns("distances", request, signal)).columns.distances as Float32Array;
  }

  async quality(request: ProjectionRequest, signal?: AbortSignal): Promise<Quality> {
    const { header, columns } = await this.#columns("quality", request, signal);
    const { kept, trust } = columns as { kept: Float32Array; trust: Float32Array };
    return { ...(header as unknown as Header<Quality>), kept, trust };
  }

  async clusters(request: ClustersRequest, signal?: AbortSignal): Promise<Clusters> {
    const { header, columns } = await this.#columns("clusters", request, signal);
    return { ...(header as unknown as Header<Clusters>), codes: columns.codes as Int32Array };
  }

  outliers(request: ProjectionRequest, signal?: AbortSignal): Promise<Outliers> {
    return this.#post("outliers", request, signal);
  }

  duplicates(request: ProjectionRequest, signal?: AbortSignal): Promise<Duplicates> {
    return this.#post("duplicates", request, signal);
  }

  async movement(
    ref: EmbeddingRef,
    names: readonly string[],
    preparation: Preparation,
    signal?: AbortSignal,
  ): Promise<Movement> {
    const { header, columns } = await this.#columns("movement", { ...of(ref), names, ...preparation }, signal);
    return { ...(header as unknown as Header<Movement>), moved: columns.moved as Float32Array };
  }

  async shared(ref: EmbeddingRef, other: EmbeddingRef, signal?: AbortSignal): Promise<SharedNeighbours> {
    const body = { ...of(ref), other_run: other.run, other_name: other.name };
    const { header, columns } = await this.#columns("shared", body, signal);
    return { ...(header as unknown as Header<SharedNeighbours>), shared: columns.shared as Float32Array };
  }

  thumbnailsAddress(ref: EmbeddingRef): string {
    return this.context.address("thumbnails", of(ref));
  }

  bookmarks(ref: EmbeddingRef, signal?: AbortSignal): Promise<unknown> {
    return this.#get("bookmarks", of(ref), signal);
  }

  /** Rows as a file, with their positions in a picture; rows null: all of them. */
  export(
    ref: EmbeddingRef,
    format: "csv" | "parquet" | "npy",
    rows: Uint32Array | null,
    picture: ProjectionRequest | null,
  ): Promise<ArrayBuffer> {
    const body = { ...of(ref), format, rows: rows && [...rows], picture };
    return requestBytes(this.context.address("export"), { body });
  }

  /** Sends a file to this machine's server; `metadataOf`: the upload that it has the metadata of. */
  upload(file: File, metadataOf = ""): Promise<EmbeddingRef> {
    const address = this.context.address("upload", { name: file.name, metadata_of: metadataOf });
    return requestJson(address, { body: file }) as Promise<EmbeddingRef>;
  }

  #get<Value>(path: string, parameters: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path, parameters), { signal }) as Promise<Value>;
  }

  #post<Value>(path: string, body: unknown, signal?: AbortSignal): Promise<Value> {
    return requestJson(this.context.address(path), { body, signal }) as Promise<Value>;
  }

  #columns(path: string, body: unknown, signal?: AbortSignal): ReturnType<typeof requestBlock> {
    return requestBlock(this.context.address(path), { body, signal });
  }

  async #rows(address: string, signal?: AbortSignal): Promise<Uint32Array> {
    return (await requestBlock(address, { signal })).columns.rows as Uint32Array;
  }
}

const of = ({ run, name }: EmbeddingRef): { run: string; name: string } => ({ run, name });
