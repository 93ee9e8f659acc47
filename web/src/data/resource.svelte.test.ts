import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Resource, type ResourceOptions } from "./resource.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A resource whose requests end when the test says so. */
function resourceWith(options: ResourceOptions<string> = {}) {
  const fetched: {
    request: string;
    signal: AbortSignal;
    resolve(value: string): void;
    reject(error: unknown): void;
  }[] = [];
  const resource = new Resource<string, string>(
    (request, signal) =>
      new Promise((resolve, reject) => {
        fetched.push({ request, signal, resolve, reject });
      }),
    options,
  );
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { resource, fetched, settle };
}

test("a value is loaded once for each revision", async () => {
  const { resource, fetched, settle } = resourceWith();
  resource.load("a", 1);
  resource.load("a", 1);
  expect([resource.value, resource.isLoading]).toEqual([null, true]);
  fetched[0]!.resolve("A");
  await settle();
  expect([resource.value, resource.isLoading]).toEqual(["A", false]);
  resource.load("a", 1);
  expect(fetched).toHaveLength(1);
  resource.load("a", 2);
  expect([fetched.length, resource.value]).toEqual([2, "A"]);
});

test("a superseded request is aborted, and its value never shown", async () => {
  const { resource, fetched, settle } = resourceWith({ abortAfterMs: 0 });
  ["a", "b", "c"].forEach((request) => resource.load(request));
  await settle();
  expect(fetched.map(({ request, signal }) => [request, signal.aborted])).toEqual([
    ["a", true],
    ["c", false],
  ]);
  fetched[0]!.resolve("A");
  fetched[1]!.resolve("C");
  await settle();
  expect(resource.value).toBe("C");
});

test("within the grace time a superseded request still shows its value", async () => {
  const { resource, fetched, settle } = resourceWith({ abortAfterMs: 300 });
  resource.load("a");
  resource.load("b");
  await vi.advanceTimersByTimeAsync(299);
  fetched[0]!.resolve("A");
  await settle();
  expect([resource.value, fetched.length]).toEqual(["A", 2]);
  resource.load("c");
  await vi.advanceTimersByTimeAsync(300);
  expect([fetched[1]!.signal.aborted, fetched[2]!.request]).toEqual([true, "c"]);
});

test("newer data of the same request waits for the pause, another request does not", async () => {
  const { resource, fetched, settle } = resourceWith({ pauseMs: 1000 });
  resource.load("a", 1);
  fetched[0]!.resolve("A1");
  await settle();
  resource.load("a", 2);
  resource.load("a", 3);
  await vi.advanceTimersByTimeAsync(999);
  expect(fetched).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveLength(2);
  fetched[1]!.resolve("A3");
  await settle();
  resource.load("a", 4);
  resource.load("b", 4);
  expect(fetched.map(({ request }) => request)).toEqual(["a", "a", "b"]);
});

test("data that change faster than they load do not keep a value from appearing", async () => {
  const { resource, fetched, settle } = resourceWith();
  for (let revision = 1; revision <= 10; revision += 1) {
    resource.load("a", revision);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect([fetched.length, fetched[0]!.signal.aborted]).toEqual([1, false]);
  fetched[0]!.resolve("A1");
  await settle();
  expect([resource.value, fetched.length]).toEqual(["A1", 2]);
});

test("what takes long is loaded less often", async () => {
  const { resource, fetched, settle } = resourceWith({ pauseMs: (tookMs) => tookMs * 2 });
  resource.load("a", 1);
  await vi.advanceTimersByTimeAsync(500);
  fetched[0]!.resolve("A1");
  await settle();
  resource.load("a", 2);
  await vi.advanceTimersByTimeAsync(999);
  expect(fetched).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveLength(2);
});

test("after an error the old value stays, and only retry or newer data loads again", async () => {
  const { resource, fetched, settle } = resourceWith();
  resource.load("a", 1);
  fetched[0]!.resolve("A");
  await settle();
  resource.load("a", 2);
  fetched[1]!.reject(new Error("the server does not answer"));
  await settle();
  expect([resource.value, resource.error]).toEqual(["A", "the server does not answer"]);
  resource.load("a", 2);
  expect(fetched).toHaveLength(2);
  resource.retry();
  fetched[2]!.resolve("A2");
  await settle();
  expect([resource.value, resource.error]).toEqual(["A2", ""]);
});

test("a person who wants a retry does not wait for the pause", async () => {
  const { resource, fetched, settle } = resourceWith({ pauseMs: 1000 });
  resource.load("a");
  fetched[0]!.reject(new Error("gone"));
  await settle();
  resource.retry();
  expect(fetched).toHaveLength(2);
});

test("going back to what is loaded stops what is on its way", async () => {
  const { resource, fetched, settle } = resourceWith({ abortAfterMs: 300 });
  resource.load("a");
  fetched[0]!.resolve("A");
  await settle();
  resource.load("b");
  resource.load("a");
  expect([fetched[1]!.signal.aborted, resource.isLoading, resource.value]).toEqual([true, false, "A"]);
});

test("going back to what is on its way lets it arrive", async () => {
  const { resource, fetched, settle } = resourceWith({ abortAfterMs: 300 });
  resource.load("a");
  resource.load("b");
  resource.load("a");
  await vi.advanceTimersByTimeAsync(300);
  expect([fetched.length, fetched[0]!.signal.aborted, resource.isLoading]).toEqual([1, false, true]);
  fetched[0]!.resolve("A");
  await settle();
  expect([resource.value, resource.isLoading]).toEqual(["A", false]);
});

test("reset forgets the value, and close ends everything", async () => {
  const { resource, fetched, settle } = resourceWith();
  resource.load("a");
  fetched[0]!.resolve("A");
  await settle();
  resource.reset();
  expect(resource.value).toBeNull();
  resource.load("a");
  resource.close();
  expect(fetched[1]!.signal.aborted).toBe(true);
  resource.load("b");
  expect(fetched).toHaveLength(2);
});

test("an effect that loads does not depend on what it loads, one that reads does", async () => {
  const { resource, fetched, settle } = resourceWith();
  let loads = 0;
  const read: (string | null)[] = [];
  const stop = $effect.root(() => {
    $effect(() => {
      loads += 1;
      resource.load("a");
    });
    $effect(() => void read.push(resource.value));
  });
  flushSync();
  fetched[0]!.resolve("A");
  await settle();
  flushSync();
  expect([loads, read]).toEqual([1, [null, "A"]]);
  stop();
});

test("a value belongs to the request that made it", async () => {
  const { resource, fetched, settle } = resourceWith();
  resource.load("a");
  fetched[0]!.resolve("A");
  await settle();
  resource.load("b");
  expect([resource.value, resource.valueFor("a"), resource.valueFor("b")]).toEqual(["A", "A", null]);
});
