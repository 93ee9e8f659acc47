/**
 * Runs jobs in workers: a bounded number of them, started when there is work, one job at a time each.
 *
 * The jobs of a pool are a type, `{ name: (input) => output }`. A worker is a module that calls `serveJobs` with
 * them (worker_jobs.ts); the page makes a pool from a function that starts it, in this form, which the bundler looks for:
 *
 *     const pool = new WorkerPool<typeof jobs>(
 *       () => new Worker(new URL("./jobs_worker.ts", import.meta.url), { type: "module" }));
 *     const layout = await pool.run("layout", graph, { signal, transfer: [graph.edges.buffer] });
 *
 * A job that fails rejects its own promise, once. A worker that crashes rejects the job it ran, and the next job starts
 * another worker. A job that is aborted before it began never begins; one that runs gets a moment to end, because a new
 * worker costs more than most jobs, and then its worker is stopped.
 */

import { asError } from "./errors";
import type { JobReply, JobRequest, Jobs } from "./worker_jobs";

/** The part of Worker that a pool uses. */
export interface PoolWorker {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<JobReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

export interface PoolOptions {
  /** Two by default: the page needs a core, too. */
  readonly maxWorkers?: number;
  /** How long an aborted job may still run. */
  readonly stopAfterMs?: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Moved to the worker instead of copied: the page cannot use them any more. */
  readonly transfer?: Transferable[];
}

interface Task {
  readonly request: JobRequest;
  readonly transfer: Transferable[];
  resolve(output: unknown): void;
  reject(error: Error): void;
}

interface Slot {
  readonly worker: PoolWorker;
  task: Task | null;
  stopTimer?: ReturnType<typeof setTimeout>;
}

export class WorkerPool<J extends Jobs<J>> {
  readonly #start: () => PoolWorker;
  readonly #maxWorkers: number;
  readonly #stopAfterMs: number;
  readonly #waiting: Task[] = [];
  readonly #slots = new Set<Slot>();

  constructor(start: () => PoolWorker, { maxWorkers = 2, stopAfterMs = 200 }: PoolOptions = {}) {
    this.#start = start;
    this.#maxWorkers = maxWorkers;
    this.#stopAfterMs = stopAfterMs;
  }

  /** Jobs begin in the order of their calls. Rejects with the reason of the signal when it is aborted. */
  run<N extends keyof J & string>(
    name: N,
    input: Parameters<J[N]>[0],
    { signal, transfer = [] }: RunOptions = {},
  ): Promise<Awaited<ReturnType<J[N]>>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(asError(signal.reason));
      const abort = (): void => {
        task.reject(asError(signal!.reason));
        this.#drop(task);
      };
      const settle = (finish: () => void): void => {
        signal?.removeEventListener("abort", abort);
        finish();
      };
      const task: Task = {
        request: { name, input },
        transfer,
        resolve: (output) => settle(() => resolve(output as Awaited<ReturnType<J[N]>>)),
        reject: (error) => settle(() => reject(error)),
      };
      signal?.addEventListener("abort", abort);
      this.#waiting.push(task);
      this.#startNext();
    });
  }

  /** Stops all workers; jobs that were not done are rejected. */
  close(): void {
    const error = new Error("the worker pool was closed");
    for (const task of this.#waiting.splice(0)) task.reject(error);
    for (const slot of [...this.#slots]) this.#stop(slot, error);
  }

  #startNext(): void {
    if (this.#waiting.length === 0) return;
    let slot: Slot | null;
    try {
      slot = [...this.#slots].find(({ task }) => task === null) ?? this.#open();
    } catch (failure) {
      // A browser may forbid workers; each job says so.
      this.#waiting.shift()!.reject(asError(failure));
      return this.#startNext();
    }
    if (!slot) return;
    const task = (slot.task = this.#waiting.shift()!);
    try {
      slot.worker.postMessage(task.request, task.transfer);
    } catch (failure) {
      // What cannot be cloned: the worker is as it was.
      slot.task = null;
      task.reject(asError(failure));
      this.#startNext();
    }
  }

  #open(): Slot | null {
    if (this.#slots.size >= this.#maxWorkers) return null;
    const worker = this.#start();
    const slot: Slot = { worker, task: null };
    worker.onmessage = ({ data }) => this.#finish(slot, data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#stop(slot, new Error(event.message || "a worker could not be started"));
    };
    worker.onmessageerror = () => this.#stop(slot, new Error("a worker sent what the page cannot read"));
    this.#slots.add(slot);
    return slot;
  }

  #finish(slot: Slot, reply: JobReply): void {
    clearTimeout(slot.stopTimer);
    const task = slot.task;
    slot.task = null;
    if ("error" in reply) task?.reject(reply.error);
    else task?.resolve(reply.output);
    this.#startNext();
  }

  #drop(task: Task): void {
    const waiting = this.#waiting.indexOf(task);
    if (waiting >= 0) return void this.#waiting.splice(waiting, 1);
    const slot = [...this.#slots].find((each) => each.task === task);
    if (slot) slot.stopTimer = setTimeout(() => this.#stop(slot, new Error("aborted")), this.#stopAfterMs);
  }

  #stop(slot: Slot, error: Error): void {
    clearTimeout(slot.stopTimer);
    slot.worker.terminate();
    this.#slots.delete(slot);
    slot.task?.reject(error);
    this.#startNext();
  }
}
