import { describe, expect, test } from "vitest";
import { HistogramBatcher } from "./histogram_batcher";
import type { HistogramBlock, HistogramRequest } from "./histograms";

const wishOf = (tag: string, ...runs: string[]): HistogramRequest => ({
  tag,
  runs,
  axis: "step",
  along: null,
  most: 64,
  parts: "buckets",
  attempts: "latest",
});

/** A server that has these runs; it notes what it was asked for, and fails for a run called "broken". */
function serverWith(...known: string[]): { batcher: HistogramBatcher; heard: [string, ...string[]][] } {
  const heard: [string, ...string[]][] = [];
  const batcher = new HistogramBatcher(async ({ tag, runs }) => {
    heard.push([tag, ...runs]);
    if (runs.includes("broken")) throw new Error("the event file was replaced");
    const found = runs.filter((run) => known.includes(run));
    if (found.length === 0) throw new Error(`no histograms of '${tag}' in run '${runs[0]}'`);
    return { tag, runs: found } as unknown as HistogramBlock;
  });
  return { batcher, heard };
}

describe("cards that ask for histograms", () => {
  test("of one tag at the same moment share one answer; another tag has its own", async () => {
    const { batcher, heard } = serverWith("a", "b");
    const [first, second, other] = await Promise.all([
      batcher.load(wishOf("w", "a")),
      batcher.load(wishOf("w", "b")),
      batcher.load(wishOf("bias", "a")),
    ]);
    expect(heard).toEqual([
      ["w", "a", "b"],
      ["bias", "a"],
    ]);
    expect(first).toBe(second);
    expect(other.runs).toEqual(["a"]);
  });

  test("with another window, or later, ask for themselves", async () => {
    const { batcher, heard } = serverWith("a", "b");
    await Promise.all([
      batcher.load(wishOf("w", "a")),
      batcher.load({ ...wishOf("w", "b"), along: { from: 1, to: 2 } }),
    ]);
    await batcher.load(wishOf("w", "b"));
    expect(heard).toEqual([
      ["w", "a"],
      ["w", "b"],
      ["w", "b"],
    ]);
  });

  test("do not spoil each other's answer when one run cannot be read or is gone", async () => {
    const { batcher } = serverWith("a", "b");
    const settled = await Promise.allSettled(["a", "broken", "gone"].map((run) => batcher.load(wishOf("w", run))));
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value.runs : (one.reason as Error).message))).toEqual(
      [["a"], "the event file was replaced", "no histograms of 'w' in run 'gone'"],
    );
    const [here, gone] = await Promise.allSettled([batcher.load(wishOf("w", "a")), batcher.load(wishOf("w", "gone"))]);
    expect([here.status, gone.status]).toEqual(["fulfilled", "rejected"]);
  });

  test("of very many runs come in several answers, so that the first is there soon", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `run_${index}`);
    const { batcher, heard } = serverWith(...names);
    await Promise.all(names.map((run) => batcher.load(wishOf("w", run))));
    expect(heard.map((ask) => ask.length - 1)).toEqual([16, 16, 8]);
  });
});
