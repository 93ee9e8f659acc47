/** A console log as a list of lines of which only those near the screen are loaded. It grows at its end. */

import { Resource } from "../../data/resource.svelte";
import { fetchConsole, type ConsoleLine, type ConsoleLines as Response } from "../../data/run";

const PAGE_LINES = 400;
const TAIL_LINES = 400;
/** Pages that stay for scrolling back. */
const MAX_PAGES = 60;

interface Range {
  readonly start: number;
  readonly stop?: number;
}

export class ConsoleLines {
  readonly #response: Resource<Range, Response>;
  readonly #pages = new Map<number, Map<number, ConsoleLine>>();
  /** Grows when lines were loaded. */
  version = $state(0);
  #total = 0;
  #tailRevision = 0;

  constructor(
    readonly run: string,
    readonly source: string,
    readonly search: string,
  ) {
    this.#response = new Resource<Range, Response>(async (range, signal) => {
      const response = await fetchConsole({ run, source, search, ...range }, signal);
      this.#add(response);
      return response;
    });
  }

  /** Lines that match the search, or all of them. */
  get matched(): number {
    return this.#response.value?.matched ?? 0;
  }

  get total(): number {
    return this.#response.value?.total ?? 0;
  }

  get isComplete(): boolean {
    return this.#response.value?.is_complete ?? true;
  }

  /** The first lines are there. */
  get isKnown(): boolean {
    return this.#response.value !== null;
  }

  get error(): string {
    return this.#response.error;
  }

  /** Loads the end of the log, and how long it is by now. */
  loadEnd(): void {
    this.#tailRevision += 1;
    this.#response.load({ start: -TAIL_LINES }, this.#tailRevision);
  }

  /** Loads what is missing between these lines, counted among those that match. */
  loadRange(from: number, to: number): void {
    const { version } = this;
    for (let page = Math.floor(from / PAGE_LINES); page * PAGE_LINES < Math.min(to, this.matched); page += 1) {
      const known = this.#pages.get(page);
      const end = Math.min((page + 1) * PAGE_LINES, this.matched);
      if (known && known.size >= end - page * PAGE_LINES) continue;
      // A page that was dropped, or of a log that was started again, is loaded again.
      return this.#response.load({ start: page * PAGE_LINES, stop: end }, `${version} ${known?.size}`);
    }
  }

  lineAt(index: number): ConsoleLine | undefined {
    void this.version;
    return this.#pages.get(Math.floor(index / PAGE_LINES))?.get(index % PAGE_LINES);
  }

  close(): void {
    this.#response.close();
  }

  #add({ total, start, lines }: Response): void {
    // The file was started again: nothing of the old one counts.
    if (total < this.#total) this.#pages.clear();
    this.#total = total;
    lines.forEach((line, offset) => this.#addLine(start + offset, line));
    this.version += 1;
  }

  #addLine(index: number, line: ConsoleLine): void {
    const number = Math.floor(index / PAGE_LINES);
    let page = this.#pages.get(number);
    if (!page) {
      page = new Map();
      this.#pages.set(number, page);
      if (this.#pages.size > MAX_PAGES) this.#pages.delete(this.#pages.keys().next().value!);
    }
    page.set(index % PAGE_LINES, line);
  }
}

export type LineTone = "" | "warn" | "err";

/** What a person's eye should find while scrolling. */
export function toneOf(text: string): LineTone {
  if (/^\s*\w*(Error|Exception)\b|^Traceback |\b(ERROR|FATAL|CRITICAL)\b|^\s*error\b/.test(text)) return "err";
  return /warn(ing)?\b/i.test(text) ? "warn" : "";
}

/** The text cut where `search` is found, every second part being a find; A to Z in either case. */
export function partsOf(text: string, search: string): string[] {
  if (search === "") return [text];
  const escaped = search.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.split(new RegExp(`(${escaped})`, "i"));
}
