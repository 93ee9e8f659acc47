import { afterEach, expect, test, vi } from "vitest";
import { fetchPins, loadState, patchState } from "./saved_state";

const documentAt = (version: number, saved: unknown) => ({
  version,
  runs: {},
  pins: [],
  views: {},
  dashboards: { text: saved },
});
afterEach(() => vi.unstubAllGlobals());

/** A server whose document another page changes before each of the first `conflicts` patches. */
function serverWith(conflicts: number): number[] {
  const sentVersions: number[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    if (init.method !== "PATCH") return Promise.resolve(Response.json(documentAt(1, null)));
    const { version, dashboards } = JSON.parse(init.body as string) as {
      version: number;
      dashboards: { text: unknown };
    };
    sentVersions.push(version);
    if (sentVersions.length > conflicts)
      return Promise.resolve(Response.json(documentAt(version + 1, dashboards.text)));
    const state = documentAt(version + 1, "another page's");
    return Promise.resolve(Response.json({ error: "changed meanwhile", code: "conflict", state }, { status: 409 }));
  });
  return sentVersions;
}

test("a change is sent again when another page was faster", async () => {
  const sentVersions = serverWith(2);
  expect(await patchState("text", { wrap: true })).toEqual({ wrap: true });
  expect(sentVersions).toEqual([1, 2, 3]);
});

test("it is not sent for ever", async () => {
  const sentVersions = serverWith(Infinity);
  await expect(patchState("text", {})).rejects.toThrow("changed meanwhile");
  expect(sentVersions).toHaveLength(6);
});

test("what a view reads at one moment takes one request, and later it is read again", async () => {
  const requests: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    requests.push(address);
    return Promise.resolve(Response.json(documentAt(1, "saved")));
  });
  expect(await Promise.all([loadState("text"), fetchPins()])).toEqual(["saved", []]);
  expect(requests).toEqual(["api/state"]);
  await loadState("text");
  expect(requests).toHaveLength(2);
});
