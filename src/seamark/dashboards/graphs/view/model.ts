/** Which graph is chosen, and lists of ids in the address. */

import type { GraphEntry, GraphRef } from "./wire";

export interface GraphChoice {
  readonly run: string | undefined;
  readonly graph: string | undefined;
  readonly focused: string | null;
  readonly shown: readonly string[];
}

/** How the graphs of dropped files start; they belong to no run. */
const UPLOAD = "upload:";

/** The graph that the address names; or the first one of the run in focus, of the shown runs, of any run. */
export function chooseGraph(graphs: readonly GraphEntry[], choice: GraphChoice): GraphEntry | null {
  const { run, graph, focused, shown } = choice;
  if (graph?.startsWith(UPLOAD)) {
    const uploaded = { run: "", graph, title: "Dropped file", profiles: [] };
    return graphs.find((entry) => entry.graph === graph) ?? uploaded;
  }
  if (run !== undefined) {
    const named = graphs.filter((entry) => entry.run === run);
    return named.find((entry) => entry.graph === graph) ?? named[0] ?? graphs[0] ?? null;
  }
  const firstOfRun = new Map([...graphs].reverse().map((entry) => [entry.run, entry]));
  const wanted = (focused === null ? shown : [focused, ...shown]).find((name) => firstOfRun.has(name));
  return wanted === undefined ? (graphs[0] ?? null) : firstOfRun.get(wanted)!;
}

/** Ids from the address, which may be anything. */
export const idList = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === "string") : [];

export const refText = ({ run, graph }: GraphRef): string => JSON.stringify([run, graph]);

export function baselineOf(text: string | undefined): GraphRef | null {
  if (text === undefined) return null;
  try {
    const [run, graph] = idList(JSON.parse(text));
    return run !== undefined && graph !== undefined ? { run, graph } : null;
  } catch {
    return null;
  }
}

/** The open groups with one more, or without it and everything that "**" opened in it. */
export function withOpen(open: readonly string[], id: string, isOpen: boolean): readonly string[] {
  const others = open.filter((other) => other !== id && other !== `${id}**`);
  return isOpen ? [...others, id] : others;
}
