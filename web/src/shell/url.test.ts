import { beforeEach, expect, test, vi } from "vitest";
import type { Url } from "./url.svelte";

let url: Url;

/** A page at this address, as far as `Url` needs a browser. */
async function openAt(path: string, search = "", hash = ""): Promise<void> {
  const location = { pathname: path, search, hash };
  const go = (_state: unknown, _title: string, address: string): void => {
    const { pathname, search, hash } = new URL(address, "http://host");
    Object.assign(location, { pathname, search, hash });
  };
  vi.stubGlobal("document", { baseURI: "http://host/" });
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", { pushState: vi.fn(go), replaceState: vi.fn(go) });
  vi.resetModules();
  url = new (await import("./url.svelte")).Url();
}

// The first one compiles the modules.
beforeEach(() => openAt("/", "", "#scalars&smoothing=0.8"), 60_000);

test("a parameter is read, set and removed, and the address follows", () => {
  expect([url.tab, url.get("smoothing"), url.get("axis")]).toEqual(["scalars", "0.8", undefined]);
  url.set("axis", "wall");
  url.set("smoothing", undefined);
  url.flush();
  expect(location.hash).toBe("#scalars&axis=wall");
});

test("a click changes the address at once, a drag at most 100 times in half a minute", async () => {
  vi.useFakeTimers();
  try {
    url.set("axis", "wall");
    url.set("smoothing", undefined);
    await Promise.resolve();
    expect(location.hash).toBe("#scalars&axis=wall");
    expect(history.replaceState).toHaveBeenCalledTimes(1);
    for (let at = 0; at < 3000; at += 1) {
      url.set("smoothing", String(at));
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(vi.mocked(history.replaceState).mock.calls.length).toBeGreaterThan(80);
    expect(vi.mocked(history.replaceState).mock.calls.length).toBeLessThanOrEqual(100);
    await vi.advanceTimersByTimeAsync(1000);
    expect(location.hash).toBe("#scalars&axis=wall&smoothing=2999");
  } finally {
    vi.useRealTimers();
  }
});

test("a tab is a new entry in the history and closes the table of runs", () => {
  url.set("runTable", "true");
  url.openTab("images");
  expect(history.pushState).toHaveBeenCalledTimes(1);
  expect([url.tab, url.get("runTable"), location.hash]).toEqual(["images", undefined, "#images&smoothing=0.8"]);
});

test("another page takes along what all share, not what is its own", () => {
  url.open({ page: "run", run: "a/b" });
  url.scoped("run").set("with", "c");
  expect(url.get("run.with")).toBe("c");
  url.open({ page: "run", run: "d" });
  expect([url.place, url.get("run.with"), url.get("smoothing")]).toEqual([{ page: "run", run: "d" }, undefined, "0.8"]);
  expect(location.pathname).toBe("/run/d");
});
