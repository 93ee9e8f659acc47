import { flushSync } from "svelte";
import { afterEach, expect, test, vi } from "vitest";
import type { EmbeddingRef } from "../wire";
import type { FindRequest } from "./find";
import { FindModel, type FindHost } from "./find_model.svelte";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A model whose searches end when the test says so. */
function findModel() {
  const searches: { readonly ref: EmbeddingRef; readonly text: string; end(...rows: number[]): Promise<void> }[] = [];
  const params = $state<{ find?: string | undefined }>({});
  const a = $state({ ref: { run: "a", name: "words" }, info: null, labelColumnName: "" });
  const select = vi.fn();
  const inspect = vi.fn();
  const search = (ref: EmbeddingRef, { text }: FindRequest): Promise<Uint32Array> => {
    return new Promise((resolve) => {
      const end = async (...rows: number[]): Promise<void> => {
        resolve(Uint32Array.from(rows));
        await vi.waitFor(() => expect([...(model.rows ?? [])]).toEqual(rows));
      };
      searches.push({ ref: { ...ref }, text, end });
    });
  };
  const host = {
    context: { url: { get: () => params.find, set: (_: string, text?: string) => (params.find = text) } },
    requests: { search },
    a,
    select,
    inspect,
  } as unknown as FindHost;
  let model!: FindModel;
  closers.push($effect.root(() => void (model = new FindModel(host))));
  const type = (text: string): void => {
    model.set(text);
    flushSync();
  };
  return { model, a, searches, select, inspect, type };
}

test("all matches are selected, and one of them is inspected", async () => {
  const { model, searches, select, inspect, type } = findModel();
  type("fish");
  expect([model.rows, model.isStale]).toEqual([null, false]);
  await searches[0]!.end(1, 2, 3);
  expect(model.isStale).toBe(false);
  model.selectAll();
  expect(select).toHaveBeenCalledExactlyOnceWith(Uint32Array.of(1, 2, 3), "found");
  model.move(1);
  model.pick(model.active);
  expect(inspect).toHaveBeenCalledExactlyOnceWith(2);
});

test("matches of the previous search stay visible, but nothing can be done with them", async () => {
  const { model, searches, select, inspect, type } = findModel();
  type("fish");
  await searches[0]!.end(1, 2, 3);
  type("trees");
  expect([[...model.listed], model.isStale]).toEqual([[1, 2, 3], true]);
  model.selectAll();
  model.move(1);
  model.pick(0);
  expect([select.mock.calls, inspect.mock.calls, model.active]).toEqual([[], [], 0]);
  await vi.waitFor(() => expect(searches).toHaveLength(2));
  await searches[1]!.end(7);
  expect(model.isStale).toBe(false);
  model.selectAll();
  expect(select).toHaveBeenCalledExactlyOnceWith(Uint32Array.of(7), "found");
});

test("matches of an embedding of another run are not shown", async () => {
  const { model, a, searches, type } = findModel();
  type("fish");
  await searches[0]!.end(1, 2, 3);
  a.ref = { run: "b", name: "words" };
  flushSync();
  expect([model.rows, model.isStale]).toEqual([null, false]);
  await searches[1]!.end(4);
  expect([searches[1]!.ref.run, model.isStale]).toEqual(["b", false]);
});
