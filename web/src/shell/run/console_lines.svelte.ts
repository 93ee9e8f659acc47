/** A console log as a list of lines of which only those near the screen are known. It grows at its end. */

import { messageOf } from "../../base/errors";
import { LatestOnly } from "../../data/latest_only";
import { fetchConsole, type ConsoleLine } from "../../data/run";

const PAGE_LINES = 400;
const TAIL_LINES = 400;
/** Pages that are kept for scrolling back. */
const MAX_PAGES = 60;
const reasonOf = (error: unknown): string => messageOf(error);

export class ConsoleLines {
  /** Lines that hold what is searched for, or all of them. */
  matched = $state(0);
  total = $state(0);
  isComplete = $state(true);
  /** The first answer has come. */
  isKnown = $state(false);
  error = $state("");
  /** Grows when lines came that were asked for. */
  version = $state(0);
  readonly #pages = new Map<number, Map<number, ConsoleLine>>();
  readonly #asking = new LatestOnly<{ start: number; stop?: number }>((request) => this.#read(request));

  constructor(
    readonly run: string,
    readonly source: string,
    readonly search: string,
  ) {}

  /** The end of it, and how long it is by now. */
  askEnd(): void {
    this.#asking.run({ start: -TAIL_LINES });
  }

  /** What is missing between these lines, counted among those that match. */
  look(from: number, to: number): void {
    for (let page = Math.floor(from / PAGE_LINES); page * PAGE_LINES < Math.min(to, this.matched); page += 1) {
      const known = this.#pages.get(page);
      const end = Math.min((page + 1) * PAGE_LINES, this.matched);
      if (known && known.size >= end - page * PAGE_LINES) continue;
      this.#asking.run({ start: page * PAGE_LINES, stop: end });
      return;
    }
  }

  lineAt(index: number): ConsoleLine | undefined {
    return this.#pages.get(Math.floor(index / PAGE_LINES))?.get(index % PAGE_LINES);
  }

  close(): void {
    this.#asking.cancel();
  }

  async #read(request: { start: number; stop?: number }): Promise<void> {
    try {
      const answer = await fetchConsole({ run: this.run, source: this.source, search: this.search, ...request });
      // A file that was begun anew: nothing of the old one counts.
      if (answer.total < this.total) this.#pages.clear();
      answer.lines.forEach((line, offset) => this.#keep(answer.start + offset, line));
      this.total = answer.total;
      this.matched = answer.matched;
      this.isComplete = answer.is_complete;
      this.isKnown = true;
      this.version += 1;
      this.error = "";
    } catch (failure) {
      this.error = reasonOf(failure);
    }
  }

  #keep(index: number, line: ConsoleLine): void {
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
