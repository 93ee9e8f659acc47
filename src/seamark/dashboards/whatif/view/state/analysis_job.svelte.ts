/** AnalysisJob: a computation on the server that is asked for until it has ended; the result so far is shown. */

import { messageOf } from "$public/core";
import type { Progress, StopResponse } from "../wire";

type Send = <Value>(path: string, body: object, signal?: AbortSignal) => Promise<Value>;

const PAUSE_MS = 120;

export class AnalysisJob<Body extends object, Result extends { readonly progress: Progress }> {
  /** The result so far, also while another request has not been answered yet. */
  result = $state.raw<Result | null>(null);
  /** Why the newest request has no result; the server's sentence. */
  error = $state("");
  traceback = $state("");
  isLoading = $state(false);
  #key = "";
  #body: Body | null = null;
  #abort: AbortController | null = null;

  constructor(
    private readonly path: string,
    private readonly send: Send,
  ) {}

  /** Whether `result` is that of an earlier request. */
  get isOld(): boolean {
    return this.isLoading && this.result !== null && this.result.progress.state !== "running";
  }

  /** Null: nothing is wanted. The same body again changes nothing. */
  load(body: Body | null): void {
    const key = body === null ? "" : JSON.stringify(body);
    if (key === this.#key) return;
    this.#key = key;
    this.#body = body;
    this.#abort?.abort();
    this.isLoading = false;
    if (body !== null) void this.#poll(body);
  }

  retry(): void {
    this.#abort?.abort();
    if (this.#body !== null) void this.#poll(this.#body);
  }

  /** The part that is there stays. */
  async stop(): Promise<void> {
    const key = this.result?.progress.key;
    if (key !== undefined) await this.send<StopResponse>("stop", { key }).catch(() => undefined);
  }

  close(): void {
    this.#abort?.abort();
  }

  async #poll(body: Body): Promise<void> {
    const abort = (this.#abort = new AbortController());
    this.isLoading = true;
    this.error = this.traceback = "";
    try {
      while (!abort.signal.aborted) {
        const result = await this.send<Result>(this.path, body, abort.signal);
        if (abort.signal.aborted) return;
        const { state, error, traceback } = result.progress;
        if (state !== "failed") this.result = result;
        else [this.error, this.traceback] = [error, traceback];
        if (state !== "running") break;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    } catch (failure) {
      if (!abort.signal.aborted) [this.error, this.traceback] = [messageOf(failure), tracebackOf(failure)];
    }
    if (this.#abort === abort) this.isLoading = false;
  }
}

/** Of an error of the server that has one. */
export function tracebackOf(failure: unknown): string {
  const details = (failure as { details?: { traceback?: unknown } } | null)?.details;
  return typeof details?.traceback === "string" ? details.traceback : "";
}
