/** The server's table of runs, loaded in windows as they become visible. What is shown stays until newer rows are there. */

import { untrack } from "svelte";
import { Resource } from "./resource.svelte";
import { fetchTable, QueryError, type Cell, type TablePage, type TableRequest } from "./table";

/** Which rows, in which order. */
export type RowsRequest = Omit<TableRequest, "columns" | "start" | "stop">;

const BLOCK_ROWS = 64;
/** More blocks than this are dropped, the farthest from what was loaded last first. */
const MAX_BLOCKS = 256;
/** New data may arrive many times a second; this often the rows are loaded again. */
const PAUSE_MS = 500;

interface Window {
  readonly from: number;
  readonly to: number;
  readonly columns: readonly string[];
}

interface LoadedColumn {
  readonly extent: readonly [number, number] | null;
  readonly blocks: Map<number, readonly Cell[]>;
}

/** What has been loaded for one request. */
class LoadedRows {
  readonly runs = new Map<number, readonly string[]>();
  readonly columns = new Map<string, LoadedColumn>();

  constructor(
    readonly key: string,
    readonly version: TablePage["version"],
    readonly matched: number,
    readonly all: number,
    readonly computedHere: string,
  ) {}

  add(page: TablePage): void {
    const blocks = Array.from({ length: Math.ceil(page.runs.length / BLOCK_ROWS) }, (_, block) => block);
    const first = page.start / BLOCK_ROWS;
    for (const block of blocks)
      this.runs.set(first + block, page.runs.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS));
    for (const { id, values, low, high } of page.columns) {
      const extent = low === null || high === null ? null : ([low, high] as const);
      const column = { extent, blocks: this.columns.get(id)?.blocks ?? new Map<number, readonly Cell[]>() };
      for (const block of blocks)
        column.blocks.set(first + block, values.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS));
      this.columns.set(id, column);
    }
    this.#dropFarFrom(first);
  }

  #dropFarFrom(center: number): void {
    if (this.runs.size <= MAX_BLOCKS) return;
    const nearestFirst = [...this.runs.keys()].sort((a, b) => Math.abs(a - center) - Math.abs(b - center));
    for (const block of nearestFirst.slice(MAX_BLOCKS)) {
      this.runs.delete(block);
      for (const { blocks } of this.columns.values()) blocks.delete(block);
    }
  }

  /** The part of a window that is not loaded, in whole blocks. */
  missing({ from, to, columns }: Window): Window | null {
    const end = Math.min(to, this.matched);
    const blocks: number[] = [];
    for (let block = Math.floor(from / BLOCK_ROWS); block * BLOCK_ROWS < end; block += 1) blocks.push(block);
    const absent = columns.filter((id) => blocks.some((block) => !this.columns.get(id)?.blocks.has(block)));
    const missing = blocks.filter(
      (block) => !this.runs.has(block) || absent.some((id) => !this.columns.get(id)?.blocks.has(block)),
    );
    if (missing.length === 0) return null;
    return { from: missing[0]! * BLOCK_ROWS, to: (missing.at(-1)! + 1) * BLOCK_ROWS, columns: absent };
  }
}

interface PageRequest {
  readonly rows: RowsRequest;
  readonly window: Window;
}

export class TableSource {
  /** Grows with each page: everything below is read again. */
  #pageCount = $state(0);
  /** Of the rows that are wanted: the request and its revision. */
  #key = $state("");
  #loaded: LoadedRows | null = null;
  #request: RowsRequest = {};
  #revision: number | string = 0;
  #visible: Window = { from: 0, to: BLOCK_ROWS, columns: [] };
  readonly #pages: Resource<PageRequest, TablePage>;

  constructor(
    private readonly fetchPage: (request: TableRequest, signal?: AbortSignal) => Promise<TablePage> = fetchTable,
    pauseMs = PAUSE_MS,
  ) {
    this.#pages = new Resource((request, signal) => this.#loadPage(request, signal), { pauseMs });
  }

  /** Another request is loaded at once, newer data for the same one after a pause. */
  request(request: RowsRequest, revision: number | string = 0): void {
    const text = JSON.stringify(request);
    if (text !== JSON.stringify(this.#request)) this.#pages.reset();
    [this.#request, this.#revision, this.#key] = [request, revision, `${revision} ${text}`];
    untrack(() => this.#loadMissing());
  }

  /** What is visible now. */
  load(rows: { readonly from: number; readonly to: number }, columns: readonly string[]): void {
    this.#visible = { ...rows, columns };
    untrack(() => this.#loadMissing());
  }

  /** Loads again what failed. */
  retry(): void {
    this.#pages.retry();
  }

  close(): void {
    this.#pages.close();
  }

  /** Why the newest request has no rows. */
  get error(): Error | null {
    return this.#pages.failure;
  }

  get queryError(): QueryError | null {
    return this.error instanceof QueryError ? this.error : null;
  }

  /** Other rows are being loaded, not more of the same. */
  get isLoading(): boolean {
    void this.#pageCount;
    return this.#pages.isLoading && this.#loaded?.key !== this.#key;
  }

  /** How many rows match. */
  get total(): number {
    void this.#pageCount;
    return this.#loaded?.matched ?? 0;
  }

  /** How many there are without the query. */
  get all(): number {
    void this.#pageCount;
    return this.#loaded?.all ?? 0;
  }

  /** Why the server and not the database of the runs evaluated the query; mostly empty. */
  get computedHere(): string {
    void this.#pageCount;
    return this.#loaded?.computedHere ?? "";
  }

  get isKnown(): boolean {
    void this.#pageCount;
    return this.#loaded !== null;
  }

  keyOf(index: number): string | undefined {
    void this.#pageCount;
    return this.#loaded?.runs.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
  }

  cell(index: number, column: string): Cell | undefined {
    void this.#pageCount;
    return this.#loaded?.columns.get(column)?.blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
  }

  extentOf(column: string): readonly [number, number] | null {
    void this.#pageCount;
    return this.#loaded?.columns.get(column)?.extent ?? null;
  }

  async keysOf(from: number, to: number): Promise<readonly string[]> {
    return (await this.fetchPage({ ...this.#request, columns: [], start: from, stop: to })).runs;
  }

  #loadMissing(): void {
    const window = this.#key === "" ? null : this.#missing();
    if (window) this.#pages.load({ rows: this.#request, window }, this.#revision);
  }

  #missing(): Window | null {
    if (this.#loaded?.key === this.#key) return this.#loaded.missing(this.#visible);
    const { from, to, columns } = this.#visible;
    return {
      from: Math.floor(from / BLOCK_ROWS) * BLOCK_ROWS,
      to: Math.ceil(Math.max(to, 1) / BLOCK_ROWS) * BLOCK_ROWS,
      columns,
    };
  }

  async #loadPage({ rows, window: { from, to, columns } }: PageRequest, signal: AbortSignal): Promise<TablePage> {
    const key = this.#key;
    const page = await this.fetchPage({ ...rows, columns, start: from, stop: to }, signal);
    await nextFrame();
    signal.throwIfAborted();
    // Rows may have moved between two versions: windows of different ones are never shown together.
    if (this.#loaded?.key !== key || this.#loaded.version !== page.version)
      this.#loaded = new LoadedRows(key, page.version, page.matched, page.total, page.computed_here ?? "");
    this.#loaded.add(page);
    this.#pageCount += 1;
    this.#loadMissing();
    return page;
  }
}

/**
 * Rows appear with the next frame, after its scroll events: rows that a scroll has left meanwhile are never drawn, and reading the
 * scroll position does not lay them out. A hidden page has no frames.
 */
async function nextFrame(): Promise<void> {
  if (typeof document !== "undefined" && !document.hidden)
    await new Promise((resolve) => requestAnimationFrame(resolve));
}
