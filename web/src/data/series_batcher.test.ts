import { expect, test } from "vitest";
import { AS_LOGGED } from "../base/smoothing";
import type { SeriesBlock } from "./api";
import type { SeriesRequest } from "./series";
import { SeriesBatcher } from "./series_batcher";

const requestOf = (tag: string, more: Partial<SeriesRequest> = {}): SeriesRequest => ({
  tag,
  runs: null,
  axis: "step",
  range: null,
  width: 640,
  smoothing: AS_LOGGED,
  attempts: "latest",
  columns: ["mean"],
  isSmall: true,
  ...more,
});
const never = new AbortController().signal;

/** A server that notes what each request asked for, and cannot read a tag called "broken". */
function server(): { batcher: SeriesBatcher; heard: string[][]; signals: AbortSignal[] } {
  const heard: string[][] = [];
  const signals: AbortSignal[] = [];
  const answer = ({ tag }: SeriesRequest): SeriesBlock | Error =>
    tag === "broken" || tag === "fatal" ? new Error("the event file was replaced") : { tag, runs: ["a"], columns: {} };
  const batcher = new SeriesBatcher({
    one: async (request) => {
      heard.push([request.tag]);
      const block = answer(request);
      if (block instanceof Error) throw block;
      return block;
    },
    batch: async (requests, signal) => {
      heard.push(requests.map(({ tag }) => tag));
      signals.push(signal!);
      if (requests.some(({ tag }) => tag === "fatal")) throw new Error("the server failed");
      return requests.map(answer);
    },
  });
  return { batcher, heard, signals };
}

test("tags asked for at the same moment share requests, a few in each; one alone has its own", async () => {
  const { batcher, heard } = server();
  const tags = [..."abcdefghi"];
  const blocks = await Promise.all(tags.map((tag) => batcher.load(requestOf(tag), never)));
  expect(blocks.map(({ tag }) => tag)).toEqual(tags);
  expect(heard).toEqual([tags.slice(0, 8), ["i"]]);
});

test("a tag of many runs is asked for by itself", async () => {
  const { batcher, heard } = server();
  await Promise.all([
    batcher.load(requestOf("a", { isSmall: false }), never),
    batcher.load(requestOf("b", { isSmall: false }), never),
  ]);
  expect(heard).toEqual([["a"], ["b"]]);
});

test("one that cannot be read spoils nothing for the others", async () => {
  const { batcher } = server();
  const settled = await Promise.allSettled(["a", "broken", "b"].map((tag) => batcher.load(requestOf(tag), never)));
  expect(settled.map((one) => (one.status === "fulfilled" ? one.value.tag : (one.reason as Error).message))).toEqual([
    "a",
    "the event file was replaced",
    "b",
  ]);
  const alone = await Promise.allSettled(["a", "fatal"].map((tag) => batcher.load(requestOf(tag), never)));
  expect(alone.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("who does not wait any more hears so at once; the request ends when nobody waits", async () => {
  const { batcher, signals } = server();
  const [left, right] = [new AbortController(), new AbortController()];
  const settled = Promise.allSettled([
    batcher.load(requestOf("a"), left.signal),
    batcher.load(requestOf("b"), right.signal),
  ]);
  await Promise.resolve();
  left.abort();
  expect(signals[0]!.aborted).toBe(false);
  right.abort();
  expect(signals[0]!.aborted).toBe(true);
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
