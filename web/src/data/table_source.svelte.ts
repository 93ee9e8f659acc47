/** Windows of the server's table, fetched as they come on screen. What is shown stays until newer has come; one question is under way. */

import { asError } from "../base/errors";
import { fetchTable, QueryError, type Cell, type TablePage, type TableRequest } from "./table";

/** Which rows, in which order. */
export type TableQuestion = Omit<TableRequest, "columns" | "start" | "stop">;

const BLOCK_ROWS = 64;
/** More blocks than this are dropped, the farthest from what was loaded last first. */
const MAX_BLOCKS = 256;
/** New data may come many times a second; this often the table is asked again. */
const PAUSE_MS = 500;

interface Window {
  readonly from: number;
  readonly to: number;
  readonly columns: readonly string[];
}

interface KeptColumn {
  readonly extent: readonly [number, number] | null;
  readonly blocks: Map<number, readonly Cell[]>;
}

/** What has come for one question. */
class Answer {
  readonly runs = new Map<number, readonly string[]>();
  readonly columns = new Map<string, KeptColumn>();

  constructor(
    readonly key: string,
    readonly version: TablePage["version"],
    readonly matched: number,
    readonly all: number,
  ) {}

  add(page: TablePage): void {
    const blocks = Array.from({ length: Math.ceil(page.runs.length / BLOCK_ROWS) }, (_, block) => block);
    const first = page.start / BLOCK_ROWS;
    for (const block of blocks)
      this.runs.set(first + block, page.runs.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS));
    for (const { id, values, low, high } of page.columns) {
      const extent = low === null || high === null ? null : ([low, high] as const);
      const kept = { extent, blocks: this.columns.get(id)?.blocks ?? new Map<number, readonly Cell[]>() };
      for (const block of blocks)
        kept.blocks.set(first + block, values.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS));
      this.columns.set(id, kept);
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

  /** The part of a window that has not come, in whole blocks. */
  missing({ from, to, columns }: Window): Window | null {
    const end = Math.min(to, this.matched);
    const blocks: number[] = [];
    for (let block = Math.floor(from / BLOCK_ROWS); block * BLOCK_ROWS < end; block += 1) blocks.push(block);
    const absent = columns.filter((id) => blocks.some((block) => !this.columns.get(id)?.blocks.has(block)));
    const late = blocks.filter(
      (block) => !this.runs.has(block) || absent.some((id) => !this.columns.get(id)?.blocks.has(block)),
    );
    if (late.length === 0) return null;
    return { from: late[0]! * BLOCK_ROWS, to: (late.at(-1)! + 1) * BLOCK_ROWS, columns: absent };
  }
}

export class TableSource {
  /** Why the newest question has no answer. */
  error = $state.raw<Error | null>(null);
  /** How many answers came: everything below is read again when one does. */
  #turn = $state(0);
  /** Told outside: is an answer awaited that will change the rows? */
  isLoading = $state(false);
  #answer: Answer | null = null;
  #question: TableQuestion = {};
  #key = "";
  #dataKey = "";
  #wanted: Window = { from: 0, to: BLOCK_ROWS, columns: [] };
  #running: AbortController | undefined;
  #askedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly fetchPage: typeof fetchTable = fetchTable,
    private readonly pauseMs = PAUSE_MS,
  ) {}

  /** A question is asked at once, newer data for the same one at a pace. */
  ask(question: TableQuestion, revision: number | string = 0): void {
    const dataKey = JSON.stringify(question);
    const key = `${revision} ${dataKey}`;
    if (key === this.#key || this.#closed) return;
    const isNew = dataKey !== this.#dataKey;
    [this.#question, this.#key, this.#dataKey] = [question, key, dataKey];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!isNew && this.#running) return; // asked after the answer that is under way
    if (isNew) this.#running?.abort();
    if (isNew) void this.#run();
    else this.#runLater();
  }

  #runLater(): void {
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, this.#askedAt + this.pauseMs - Date.now()));
  }

  /** What is on screen now. */
  load(rows: { readonly from: number; readonly to: number }, columns: readonly string[]): void {
    this.#wanted = { ...rows, columns };
    if (this.#key !== "" && !this.#running && this.#timer === undefined) void this.#run();
  }

  /** Asks again for what failed. */
  retry(): void {
    this.#key += " ";
    if (!this.#running) void this.#run();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  /** How many rows match. */
  get total(): number {
    void this.#turn;
    return this.#answer?.matched ?? 0;
  }

  /** How many there are without the query. */
  get all(): number {
    void this.#turn;
    return this.#answer?.all ?? 0;
  }

  get hasAnswer(): boolean {
    void this.#turn;
    return this.#answer !== null;
  }

  keyOf(index: number): string | undefined {
    void this.#turn;
    return this.#answer?.runs.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
  }

  cell(index: number, column: string): Cell | undefined {
    void this.#turn;
    return this.#answer?.columns.get(column)?.blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS];
  }

  extentOf(column: string): readonly [number, number] | null {
    void this.#turn;
    return this.#answer?.columns.get(column)?.extent ?? null;
  }

  async keysOf(from: number, to: number): Promise<readonly string[]> {
    return (await this.fetchPage({ ...this.#question, columns: [], start: from, stop: to })).runs;
  }

  /** Until all that is wanted has come. */
  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let window = this.#toAsk(); window && !this.#closed; window = this.#toAsk()) {
      const abort = new AbortController();
      this.#running = abort;
      const isDone = await this.#fetch(window, abort.signal);
      if (this.#running !== abort) return; // a newer question has taken over
      this.#running = undefined;
      if (!isDone) return;
      if (this.#answer?.key !== this.#key) return this.#runLater(); // newer data has come meanwhile
    }
  }

  #toAsk(): Window | null {
    if (this.#answer?.key === this.#key) return this.#answer.missing(this.#wanted);
    const { from, to, columns } = this.#wanted;
    return {
      from: Math.floor(from / BLOCK_ROWS) * BLOCK_ROWS,
      to: Math.ceil(Math.max(to, 1) / BLOCK_ROWS) * BLOCK_ROWS,
      columns,
    };
  }

  async #fetch({ from, to, columns }: Window, signal: AbortSignal): Promise<boolean> {
    const key = this.#key;
    this.#askedAt = Date.now();
    this.isLoading = this.#answer?.key !== key;
    try {
      const page = await this.fetchPage({ ...this.#question, columns, start: from, stop: to }, signal);
      if (signal.aborted) return false;
      // Rows may have moved between two versions: windows of different ones are never shown together.
      if (this.#answer?.key !== key || this.#answer.version !== page.version)
        this.#answer = new Answer(key, page.version, page.matched, page.total);
      this.#answer.add(page);
      this.error = null;
      this.#turn += 1;
      this.isLoading = false;
      return true;
    } catch (failure) {
      if (signal.aborted) return false;
      this.error = asError(failure);
      this.isLoading = false;
      return false;
    }
  }

  get queryError(): QueryError | null {
    return this.error instanceof QueryError ? this.error : null;
  }
}
