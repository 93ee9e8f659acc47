import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setTransport } from "../../data/request";
import { CommentStore } from "./comment_store.svelte";

let requests = 0;
let version = "1-7";

beforeEach(() => {
  requests = 0;
  setTransport(() => {
    requests += 1;
    return Promise.resolve(Response.json({ comments: [], version }));
  });
});
afterEach(() => vi.restoreAllMocks());

test("comments are requested again only for another version than the one that is here", async () => {
  const store = new CommentStore({ organisation: "lab", project: "vision" });
  store.load();
  await vi.waitFor(() => expect(store.isLoaded).toBe(true));
  store.loadVersion("1-7");
  expect(requests).toBe(1);
  version = "2-9";
  store.loadVersion("2-9");
  await vi.waitFor(() => expect(requests).toBe(2));
});
