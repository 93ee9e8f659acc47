/** Which graph is chosen, and lists of ids in the address. */

import { partText } from "./partial";
import type { Boxes, BoxDetails, GraphEntry, GraphRef } from "./wire";

export interface GraphChoice {
  readonly run: string | undefined;
  readonly graph: string | undefined;
  readonly focused: string | null;
  readonly shown: readonly string[];
  /** When a run began; null if nothing is known of it. */
  readonly beganAt: (run: string) => number | null;
}

/** The run metadata that the address names if the graph has it, else its last: an address may be of another graph. */
export function profileOf(entry: Pick<GraphEntry, "profiles"> | null, named: string | undefined): string {
  const tags = entry?.profiles.map(({ tag }) => tag) ?? [];
  return named !== undefined && tags.includes(named) ? named : (tags.at(-1) ?? "");
}

/** How the graphs of dropped files start; they belong to no run. */
const UPLOAD = "upload:";
const RUN_GRAPH = "run_graph";

/**
 * The graph that the address names; or the first one of the run in focus, of the newest run that is shown, of the
 * newest of all. One that the address names and that is gone is taken, too: the server says so, and nobody takes another
 * graph for it.
 */
export function chooseGraph(graphs: readonly GraphEntry[], choice: GraphChoice): GraphEntry | null {
  const { run, graph, focused, shown, beganAt } = choice;
  if (graph?.startsWith(UPLOAD)) {
    const uploaded = { run: "", graph, title: "Dropped file", version: "", profiles: [] };
    return graphs.find((entry) => entry.graph === graph) ?? uploaded;
  }
  if (run !== undefined) {
    const named = graphs.filter((entry) => entry.run === run);
    const found = graph === undefined ? named[0] : named.find((entry) => entry.graph === graph);
    return (
      found ?? (graphs.length > 0 ? { run, graph: graph ?? RUN_GRAPH, title: run, version: "", profiles: [] } : null)
    );
  }
  const firstOfRun = new Map([...graphs].reverse().map((entry) => [entry.run, entry]));
  if (focused !== null && firstOfRun.has(focused)) return firstOfRun.get(focused)!;
  const candidates = shown.filter((name) => firstOfRun.has(name));
  const names = candidates.length > 0 ? candidates : [...new Set(graphs.map((entry) => entry.run))];
  const newest = names.reduce<{ name: string; at: number } | null>((best, name) => {
    const at = beganAt(name) ?? -Infinity;
    return best === null || at > best.at ? { name, at } : best;
  }, null);
  return newest && firstOfRun.get(newest.name)!;
}

/** What the server reads of a dropped file: MAX_UPLOAD_BYTES in routes.py. */
const MAX_UPLOAD_BYTES = 512 * 2 ** 20;

/** Throws for a file that the server would refuse only after most of it was sent. */
export function checkUpload(
  { name, size }: Pick<File, "name" | "size">,
  format: { bytes(count: number): string },
): void {
  if (size <= MAX_UPLOAD_BYTES) return;
  const limit = `a dropped file may have ${format.bytes(MAX_UPLOAD_BYTES)}`;
  throw new Error(
    `The file has ${format.bytes(size)}, but ${limit}. Put it into the folder of a run, or use "seamark graph": '${name}'`,
  );
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

type PlacedIds = Pick<Boxes, "id" | "parent" | "is_open">;

/** The whole graph has no box, but an id. */
const WHOLE_GRAPH = "/";

export function parentIdOf({ id, parent }: PlacedIds, box: number): string {
  return parent[box]! < 0 ? WHOLE_GRAPH : id[parent[box]!]!;
}

/** The box itself if it is open, else the group around it, if its equal boxes are shown one by one. */
export function unstackedAround(boxes: PlacedIds, unstacked: readonly string[], id: string): string | null {
  const box = boxes.id.indexOf(id);
  if (box < 0) return null;
  if (boxes.is_open[box] && unstacked.includes(id)) return id;
  const parent = parentIdOf(boxes, box);
  return unstacked.includes(parent) || unstacked.includes(id) ? parent : null;
}

/** What stays unstacked when the equal boxes of a group become a stack again. */
export function stacked(boxes: PlacedIds, unstacked: readonly string[], group: string): readonly string[] {
  const members = new Set(boxes.id.filter((_, box) => parentIdOf(boxes, box) === group));
  return unstacked.filter((id) => id !== group && !members.has(id));
}

/** A box in one line: its operation, the shape of what it returns, its parameters, and what is wrong with it. */
export function summaryOf(details: BoxDetails | null, format: { short(value: number): string }): string {
  if (!details) return "Loading …";
  const shape = details.outputs.find(({ shape }) => shape !== "")?.shape ?? "";
  const parameters = details.parameters
    ? `${partText(details.parameters, details.has_unknown_parameters, format.short)} parameters`
    : "";
  return [details.finding, details.op, shape, parameters].filter(Boolean).join(" · ") || details.id;
}
