import { afterEach, expect, test, vi } from "vitest";
import { serveJobs, type JobReply, type JobRequest } from "./worker_jobs";
import { WorkerPool, type PoolWorker } from "./worker_pool";

/** A worker without a thread: messages are cloned and arrive in later turns of the event loop, as those of a real one. */
class FakeWorker implements PoolWorker {
  static running = 0;
  onmessage: PoolWorker["onmessage"] = null;
  onerror: PoolWorker["onerror"] = null;
  onmessageerror: PoolWorker["onmessageerror"] = null;
  isStopped = false;
  readonly #scope: Parameters<typeof serveJobs>[1] & object;

  constructor(jobs: object) {
    FakeWorker.running += 1;
    this.#scope = {
      onmessage: null,
      postMessage: (reply: JobReply, transfer: Transferable[]) => {
        const data = structuredClone(reply, { transfer });
        setTimeout(() => !this.isStopped && this.onmessage?.({ data } as MessageEvent<JobReply>));
      },
    };
    serveJobs(jobs as never, this.#scope);
  }

  postMessage(message: unknown, transfer: Transferable[]): void {
    const data = structuredClone(message, { transfer }) as JobRequest;
    setTimeout(() => !this.isStopped && this.#scope.onmessage?.({ data } as MessageEvent<JobRequest>));
  }

  crash(message: string): void {
    this.onerror?.({ message } as ErrorEvent);
  }

  terminate(): void {
    if (!this.isStopped) FakeWorker.running -= 1;
    this.isStopped = true;
  }
}

function gate(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}

let gates: ReturnType<typeof gate>[] = [];
const began: number[] = [];
const jobs = {
  square: (numbers: Float32Array) => ({ squares: numbers.map((number) => number * number) }),
  wait: async (id: number) => {
    began.push(id);
    await gates[id]!.promise;
    return id;
  },
  fail: (message: string): number => {
    throw new RangeError(message);
  },
};

let workers: FakeWorker[] = [];
function makePool(options = {}): WorkerPool<typeof jobs> {
  workers = [];
  gates = [gate(), gate(), gate(), gate()];
  began.length = 0;
  return new WorkerPool<typeof jobs>(() => {
    const worker = new FakeWorker(jobs);
    workers.push(worker);
    return worker;
  }, options);
}

afterEach(() => vi.useRealTimers());

test("a job returns its output, and buffers are moved both ways", async () => {
  const pool = makePool();
  const input = Float32Array.of(1, 2, 3);
  const { squares } = await pool.run("square", input, { transfer: [input.buffer] });
  expect([...squares]).toEqual([1, 4, 9]);
  expect(input.length).toBe(0);
  pool.close();
  expect(FakeWorker.running).toBe(0);
});

test("no more workers run than allowed, and jobs begin in order", async () => {
  const pool = makePool({ maxWorkers: 2 });
  const results = [0, 1, 2, 3].map((id) => pool.run("wait", id));
  await vi.waitFor(() => expect(began).toEqual([0, 1]));
  expect(workers).toHaveLength(2);
  gates[1]!.open();
  await vi.waitFor(() => expect(began).toEqual([0, 1, 2]));
  for (const { open } of gates) open();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  expect(workers).toHaveLength(2);
  pool.close();
});

test("a job that fails rejects with its error, and its worker goes on", async () => {
  const pool = makePool({ maxWorkers: 1 });
  await expect(pool.run("fail", "too large")).rejects.toThrow("too large");
  await expect(pool.run("square", Float32Array.of(2))).resolves.toEqual({ squares: Float32Array.of(4) });
  expect(workers).toHaveLength(1);
  pool.close();
});

test("an input that cannot be cloned rejects, and the pool goes on", async () => {
  const pool = makePool({ maxWorkers: 1 });
  await expect(pool.run("wait", (() => 1) as unknown as number)).rejects.toThrow();
  await expect(pool.run("square", Float32Array.of(3))).resolves.toEqual({ squares: Float32Array.of(9) });
  pool.close();
});

test("after a crash its job is rejected once and the next one gets a new worker", async () => {
  const pool = makePool({ maxWorkers: 1 });
  const lost = pool.run("wait", 0);
  const next = pool.run("square", Float32Array.of(2));
  await vi.waitFor(() => expect(began).toEqual([0]));
  workers[0]!.crash("out of memory");
  await expect(lost).rejects.toThrow("out of memory");
  await expect(next).resolves.toEqual({ squares: Float32Array.of(4) });
  expect(workers).toHaveLength(2);
  pool.close();
});

test("a job that is aborted while it waits never begins", async () => {
  const pool = makePool({ maxWorkers: 1 });
  const abort = new AbortController();
  const first = pool.run("wait", 0);
  const second = pool.run("wait", 1, { signal: abort.signal });
  abort.abort();
  await expect(second).rejects.toThrow(/abort/i);
  gates[0]!.open();
  await first;
  await expect(pool.run("wait", 2, { signal: abort.signal })).rejects.toThrow(/abort/i);
  expect(began).toEqual([0]);
  pool.close();
});

test("an aborted job that ends in time keeps its worker, one that does not loses it", async () => {
  vi.useFakeTimers();
  const pool = makePool({ maxWorkers: 1, stopAfterMs: 100 });
  for (const [id, isQuick] of [
    [0, true],
    [1, false],
  ] as const) {
    const abort = new AbortController();
    const result = pool.run("wait", id, { signal: abort.signal });
    const rejected = expect(result).rejects.toThrow(/abort/i);
    await vi.advanceTimersByTimeAsync(1);
    abort.abort();
    await rejected;
    if (isQuick) gates[id]!.open();
    await vi.advanceTimersByTimeAsync(150);
    expect(workers[0]!.isStopped).toBe(!isQuick);
  }
  const next = pool.run("square", Float32Array.of(5));
  await vi.advanceTimersByTimeAsync(10);
  expect(await next).toEqual({ squares: Float32Array.of(25) });
  expect(workers).toHaveLength(2);
  pool.close();
});
