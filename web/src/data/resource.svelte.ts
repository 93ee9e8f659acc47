/** A value that is loaded from the server: the newest request wins, and the old value stays until there is a new one. */

import { untrack } from "svelte";
import { asError } from "../base/errors";

export interface ResourceOptions<Request> {
  /** Requests with equal keys differ in nothing that matters. Default: their JSON. */
  readonly keyOf?: (request: Request) => string;
  /**
   * A request that was loaded less than this ago waits before it is loaded again; any other starts at once. May depend on how long
   * loading took, so that what takes long is loaded less often.
   */
  readonly pauseMs?: number | ((tookMs: number) => number);
  /** A superseded request gets this long before it is aborted, so that an intermediate value can appear. Default: 300. */
  readonly abortAfterMs?: number;
}

const ABORT_AFTER_MS = 300;

export interface Loaded<Request, Value> {
  readonly request: Request;
  readonly revision: number | string;
  readonly value: Value;
}

interface Job<Request> {
  readonly request: Request;
  readonly revision: number | string;
  readonly key: string;
}

export class Resource<Request, Value> {
  /** Null until the first value is there. */
  loaded = $state.raw<Loaded<Request, Value> | null>(null);
  /** Why the newest request has no value. */
  failure = $state.raw<Error | null>(null);
  isLoading = $state(false);
  #wanted: Job<Request> | undefined;
  #next: Job<Request> | undefined;
  #running: { readonly job: Job<Request>; readonly abort: AbortController } | undefined;
  #last: { readonly key: string; readonly waitUntil: number } | undefined;
  #abortTimer: ReturnType<typeof setTimeout> | undefined;
  #pauseTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    private readonly fetch: (request: Request, signal: AbortSignal, revision: number | string) => Promise<Value>,
    private readonly options: ResourceOptions<Request> = {},
  ) {}

  get value(): Value | null {
    return this.loaded?.value ?? null;
  }

  /** The value of this very request; null while only that of another one is there. */
  valueFor(request: Request): Value | null {
    const { loaded } = this;
    return loaded && this.#keyOf(loaded.request) === this.#keyOf(request) ? loaded.value : null;
  }

  get error(): string {
    return this.failure?.message ?? "";
  }

  /** Loads the value unless it is there, on its way, or has failed at this revision. Depends on nothing inside an effect. */
  load(request: Request, revision: number | string = 0): void {
    untrack(() => {
      const job = { request, revision, key: this.#keyOf(request) };
      if (isSame(this.#wanted, job)) return;
      this.#wanted = job;
      const known = this.find(request, revision);
      if (!known) return this.#schedule(job);
      this.#stop();
      this.loaded = known;
      this.failure = null;
    });
  }

  /** Loads the last request again, without a pause. */
  retry(): void {
    this.#last = undefined;
    if (this.#wanted) this.#schedule(this.#wanted);
  }

  /** As if nothing had been loaded. */
  reset(): void {
    this.#stop();
    this.#wanted = undefined;
    this.#last = undefined;
    this.loaded = null;
    this.failure = null;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** A value that needs no request. */
  protected find(request: Request, revision: number | string): Loaded<Request, Value> | undefined {
    const { loaded } = this;
    const isFresh = loaded?.revision === revision && this.#keyOf(loaded.request) === this.#keyOf(request);
    return isFresh ? loaded : undefined;
  }

  #keyOf(request: Request): string {
    return this.options.keyOf ? this.options.keyOf(request) : JSON.stringify(request);
  }

  #schedule(job: Job<Request>): void {
    if (this.#isClosed) return;
    const isRunning = isSame(this.#running?.job, job);
    this.#next = isRunning ? undefined : job;
    if (isRunning) return this.#keepRunning();
    if (!this.#running) return this.#startNext();
    // Data may change faster than they load: a value that is a little old is better than none.
    if (this.#running.job.key === job.key) this.#keepRunning();
    else this.#abortTimer ??= setTimeout(() => this.#supersede(), this.options.abortAfterMs ?? ABORT_AFTER_MS);
  }

  #keepRunning(): void {
    clearTimeout(this.#abortTimer);
    this.#abortTimer = undefined;
  }

  #supersede(): void {
    const hasNext = this.#next;
    this.#abort();
    if (hasNext) this.#startNext();
  }

  #startNext(): void {
    clearTimeout(this.#pauseTimer);
    const waitMs = this.#last?.key === this.#next!.key ? this.#last.waitUntil - Date.now() : 0;
    if (waitMs > 0) this.#pauseTimer = setTimeout(() => void this.#run(), waitMs);
    else void this.#run();
  }

  async #run(): Promise<void> {
    const job = this.#next!;
    const running = { job, abort: new AbortController() };
    this.#next = undefined;
    this.#running = running;
    this.isLoading = true;
    const startedAt = Date.now();
    try {
      const value = await this.fetch(job.request, running.abort.signal, job.revision);
      if (this.#running !== running) return;
      this.loaded = { request: job.request, revision: job.revision, value };
      this.failure = null;
    } catch (failure) {
      if (this.#running !== running) return;
      this.failure = asError(failure);
    }
    const { pauseMs = 0 } = this.options;
    const endedAt = Date.now();
    const waitMs = typeof pauseMs === "number" ? pauseMs : pauseMs(endedAt - startedAt);
    this.#last = { key: job.key, waitUntil: endedAt + waitMs };
    this.#abort();
    if (this.#next) this.#startNext();
  }

  #stop(): void {
    clearTimeout(this.#pauseTimer);
    this.#next = undefined;
    this.#abort();
  }

  /** Aborting what has ended does nothing. */
  #abort(): void {
    this.#keepRunning();
    this.#running?.abort.abort();
    this.#running = undefined;
    this.isLoading = false;
  }
}

const isSame = <Request>(a: Job<Request> | undefined, b: Job<Request>): boolean =>
  a?.key === b.key && a.revision === b.revision;
