import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Notes } from "./notes.svelte";

const empty = { version: 1, runs: {}, pins: [], views: {}, dashboards: {} };
const answer = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });
const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("edits made while the server cannot be reached are sent when it can", async () => {
  const notes = new Notes();
  fetched.mockRejectedValueOnce(new TypeError("no connection"));
  fetched.mockResolvedValue(answer(200, { ...empty, version: 2, runs: { a: { star: true } } }));
  notes.change({ runs: { a: { star: true } } });
  await vi.advanceTimersByTimeAsync(0);
  expect(notes.error).toContain("the server does not answer");
  expect(notes.document.runs).toEqual({ a: { star: true } });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(notes.error).toBe("");
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("an edit that the server rejects is dropped, and the next one is sent", async () => {
  const notes = new Notes();
  fetched.mockResolvedValueOnce(answer(400, { error: "the label is too long", code: "invalid_body" }));
  fetched.mockResolvedValueOnce(answer(200, { ...empty, version: 2, runs: { b: { label: "B" } } }));
  notes.change({ runs: { a: { label: "x".repeat(9) } } });
  notes.change({ runs: { b: { label: "B" } } });
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(notes.document.runs).toEqual({ b: { label: "B" } });
});
