/** What tests of the runs have instead of a session, an address bar and a clock. */

import { SvelteMap } from "svelte/reactivity";
import { vi } from "vitest";
import type { Run, RunNotes } from "../../data/api";
import { makeRun } from "../../data/testing";
import type { Session } from "../../data/session.svelte";
import type { Url } from "../url.svelte";
import { Runs } from "./runs.svelte";

export function runsNamed(...names: readonly string[]) {
  const params = new SvelteMap<string, string>();
  const url = {
    get: (name: string) => params.get(name),
    set: (name: string, value: string | undefined) =>
      void (value === undefined ? params.delete(name) : params.set(name, value)),
  } as unknown as Url;
  const notes = $state<{ document: { version: number; runs: Record<string, RunNotes>; views: object } }>({
    document: { version: 0, runs: {}, views: {} },
  });
  let list = $state.raw(names.map((name, index) => runOf(name, index)));
  const session = {
    get runs() {
      return list;
    },
    notes,
    revisionOf: () => 1,
    changedAt: 0,
    kinds: [],
    tags: () => [],
    isComplete: true,
  } as unknown as Session;
  const runs = new Runs(session, url);
  const setNames = (...next: readonly string[]): void => void (list = next.map(runOf));
  /** Folders of `add_scalars` (with a curve) and `add_hparams`. */
  const merge = (parts: Readonly<Record<string, Pick<Run, "merged_into" | "curve">>>): void =>
    void (list = list.map((run) => ({ ...run, ...parts[run.name] })));
  return { runs, url, params, session, notes, setNames, merge };
}

const runOf = (name: string, index: number): Run =>
  makeRun(name, { points: index * 10, first_wall: index, last_wall: index });

/** A server that responds to an address with what `responses` has for it now, or fails. Returns what was sent to it. */
export function serve(responses: Readonly<Record<string, unknown>>): { address: string; body: unknown }[] {
  const requests: { address: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    requests.push({ address, body: init.body === undefined ? undefined : JSON.parse(init.body as string) });
    const response = responses[address.split("?")[0]!];
    return Promise.resolve(
      response === undefined ? Response.json({ error: "no such column" }, { status: 400 }) : Response.json(response),
    );
  });
  return requests;
}
