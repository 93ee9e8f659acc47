import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { GraphSearch } from "./search.svelte";

/** A search whose requests end when the test says so. */
function searchWith() {
  const ends = new Map<string, (ids: readonly string[]) => void>();
  const reveal = vi.fn();
  const model = {
    ref: { run: "a", graph: "run_graph" },
    reveal,
    requests: {
      search: (_: unknown, text: string) =>
        new Promise((resolve) => {
          ends.set(text, (ids) => resolve({ total: ids.length, results: ids.map((id) => ({ id, groups: [] })) }));
        }),
    },
  };
  let search!: GraphSearch;
  const stop = $effect.root(() => {
    search = new GraphSearch(model as never);
  });
  const type = (text: string): void => {
    search.set(text);
    flushSync();
  };
  const answer = async (text: string, ids: readonly string[]): Promise<void> => {
    ends.get(text)!(ids);
    await vi.waitFor(() => expect(search.isStale).toBe(false));
    flushSync();
  };
  return { search, reveal, type, answer, stop };
}

test("nothing acts on the results of an earlier text", async () => {
  const { search, reveal, type, answer, stop } = searchWith();
  type("conv");
  await answer("conv", ["conv/1", "conv/2"]);
  expect([search.total, search.isStale]).toEqual([2, false]);
  type("relu");
  expect([search.total, search.isStale]).toEqual([null, true]);
  search.pick(0);
  expect(reveal).not.toHaveBeenCalled();
  stop();
});

test("Enter takes the first result of the text in the field, once it is there", async () => {
  const { search, reveal, type, answer, stop } = searchWith();
  type("conv");
  await answer("conv", ["conv/1"]);
  type("relu");
  search.pickActive();
  await answer("relu", ["relu/1"]);
  expect(reveal).toHaveBeenCalledExactlyOnceWith("relu/1", []);
  stop();
});
