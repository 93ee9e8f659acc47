import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AS_LOGGED, FIXED, withWeight } from "../base/smoothing";
import type { SeriesRequest } from "./series";
import { SeriesSource } from "./series_source.svelte";

/** A block of columns without any. */
function emptyBlock(tag: string): ArrayBuffer {
  const text = JSON.stringify({ tag, runs: ["a", "b"], columns: [] });
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const out = new Uint8Array(16 + header.length);
  out.set(new TextEncoder().encode("SEAMARK1"));
  new DataView(out.buffer).setUint32(8, header.length, true);
  out.set(header, 16);
  return out.buffer;
}
const requestOf = (tag: string, more: Partial<SeriesRequest> = {}): SeriesRequest => ({
  tag,
  runs: null,
  axis: "step",
  range: null,
  width: 640,
  smoothing: AS_LOGGED,
  attempts: "latest",
  columns: ["mean"],
  ...more,
});
let requested: { tag: string; smoothing: number; signal: AbortSignal }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  requested = [];
  vi.stubGlobal("fetch", (_: string, { body, signal }: RequestInit) => {
    const { tag, smoothing } = JSON.parse(body as string) as { tag: string; smoothing: number };
    requested.push({ tag, smoothing, signal: signal! });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(new Response(emptyBlock(tag))), tag === "slow" ? 5000 : 50);
      signal!.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal!.reason as Error);
      });
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a card that scrolls back into view, or shows fewer runs, needs no request", async () => {
  const first = new SeriesSource();
  first.load(requestOf("cached"), 1);
  await vi.advanceTimersByTimeAsync(50);
  first.load(requestOf("cached", { runs: ["a"] }), 1);
  const again = new SeriesSource();
  again.load(requestOf("cached", { runs: ["b"] }), 1);
  expect([first.value?.tag, again.value?.tag, requested.length]).toEqual(["cached", "cached", 1]);
  again.load(requestOf("cached"), 2);
  expect(requested).toHaveLength(2);
});

test("while a slider is dragged, the newest smoothing follows the one that is on its way", async () => {
  const source = new SeriesSource();
  for (const weight of [0.1, 0.2, 0.3]) source.load(requestOf("dragged", { smoothing: withWeight(FIXED, weight) }), 1);
  await vi.advanceTimersByTimeAsync(50);
  expect(source.loaded?.request.smoothing.weight).toBe(0.1);
  await vi.advanceTimersByTimeAsync(50);
  expect(source.loaded?.request.smoothing.weight).toBe(0.3);
  expect(requested.map(({ smoothing }) => smoothing)).toEqual([0.1, 0.3]);
});

test("a superseded request that takes long is aborted, and so is one whose card is gone", async () => {
  const source = new SeriesSource();
  source.load(requestOf("slow"), 1);
  source.load(requestOf("slow", { smoothing: FIXED }), 1);
  await vi.advanceTimersByTimeAsync(300);
  expect(requested.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  source.close();
  expect(requested[1]!.signal.aborted).toBe(true);
});
