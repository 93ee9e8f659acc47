import { SvelteMap } from "svelte/reactivity";
import { expect, test } from "vitest";
import { BookmarksModel, type BookmarksHost } from "./bookmarks_model.svelte";

/** A page with an address and nothing on it. */
function pageAt(address: Record<string, string>) {
  const params = new SvelteMap(Object.entries(address));
  const host = {
    context: {
      url: {
        get: (name: string) => params.get(name),
        set: (name: string, value: string | undefined) => void (value === undefined ? params.delete(name) : params.set(name, value)), // prettier-ignore
      },
      saved: { load: () => Promise.resolve(undefined), patch: () => Promise.resolve(undefined) },
    },
    requests: {},
    a: { entry: null, ref: { run: "r", name: "config:v" }, info: null, request: null, projection: null },
    selected: new Uint32Array(),
    rowFilters: [],
    select: () => undefined,
  } as unknown as BookmarksHost;
  let model!: BookmarksModel;
  const close = $effect.root(() => {
    model = new BookmarksModel(host);
  });
  return { model, params, close };
}

test("a bookmark restores both pictures and everything that is drawn in them", () => {
  const view = {
    ...{ run: "r", name: "config:v", pair: "1", b_run: "s", b_name: "config:w", b_method: '{"method":"raw"}' },
    ...{ b_prepare: "normalize", b_camera: "1,2,3", method: '{"dims":3}', prepare: "", colour: "c", label: "l" },
    ...{ size: "z", clusters: "kmeans", cluster_count: "7", labels: "0", images: "1", query: "a > 1", scope: "1" },
    ...{ trails: "1", k: "50", distance: "dot", point: "3", camera: "4,5,6" },
  };
  const { model, params, close } = pageAt(view);
  const bookmark = model.current("all");
  for (const name of Object.keys(view)) params.set(name, "other");
  model.apply(bookmark);
  expect(Object.fromEntries(params)).toEqual(view);
  model.apply({ ...bookmark, params: { run: "r", name: "config:v" } });
  expect(Object.fromEntries(params)).toEqual({ run: "r", name: "config:v" });
  close();
});
