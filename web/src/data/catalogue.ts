/** The lists of runs and tags, and how a live change patches them. What a change does not touch stays the same object. */

import type { Run, TagEntry } from "./api";

export type TagLists = ReadonlyMap<string, readonly TagEntry[]>;

/** All tags of some runs: run → kind → tags. A run that was removed has none. */
export type RunTags = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** In the server's order: by the time of the first event, runs without one last. */
export function patchRuns(runs: readonly Run[], changed: readonly Run[], removed: readonly string[]): readonly Run[] {
  if (changed.length === 0 && removed.length === 0) return runs;
  const byName = new Map(runs.map((run) => [run.name, run]));
  for (const name of removed) byName.delete(name);
  for (const run of changed) byName.set(run.name, run);
  return [...byName.values()].sort(compareRuns);
}

function compareRuns(a: Run, b: Run): number {
  const byTime = (a.first_wall ?? Infinity) - (b.first_wall ?? Infinity);
  return byTime || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0); // Infinity − Infinity is NaN
}

export function patchTags(lists: TagLists, changed: RunTags): TagLists {
  const runs = Object.keys(changed);
  if (runs.length === 0) return lists;
  const wanted = runsByTag(changed);
  const kinds = new Set([...lists.keys(), ...wanted.keys()]);
  const patched = [...kinds].map(
    (kind) => [kind, patchKind(lists.get(kind) ?? [], new Set(runs), wanted.get(kind) ?? new Map())] as const,
  );
  return new Map(patched.filter(([, entries]) => entries.length > 0));
}

/** Kind → tag → the changed runs that have it. */
function runsByTag(changed: RunTags): Map<string, Map<string, string[]>> {
  const found = new Map<string, Map<string, string[]>>();
  for (const [run, kinds] of Object.entries(changed)) {
    for (const [kind, tags] of Object.entries(kinds)) {
      const byTag = found.get(kind) ?? new Map<string, string[]>();
      found.set(kind, byTag);
      for (const tag of tags) byTag.set(tag, [...(byTag.get(tag) ?? []), run]);
    }
  }
  return found;
}

function patchKind(
  entries: readonly TagEntry[],
  changed: ReadonlySet<string>,
  wanted: ReadonlyMap<string, readonly string[]>,
): readonly TagEntry[] {
  const known = new Set(entries.map(({ tag }) => tag));
  const patched = entries.map((entry) => patchEntry(entry, changed, wanted.get(entry.tag) ?? []));
  const added = [...wanted].filter(([tag]) => !known.has(tag)).map(([tag, runs]) => ({ tag, runs }));
  if (added.length === 0 && patched.every((entry, index) => entry === entries[index])) return entries;
  return [...patched.filter(({ runs }) => runs.length > 0), ...added];
}

function patchEntry(entry: TagEntry, changed: ReadonlySet<string>, wanted: readonly string[]): TagEntry {
  const has = new Set(entry.runs);
  const added = wanted.filter((run) => !has.has(run));
  const gone = entry.runs.some((run) => changed.has(run) && !wanted.includes(run));
  if (added.length === 0 && !gone) return entry;
  const stay = gone ? entry.runs.filter((run) => !changed.has(run) || wanted.includes(run)) : entry.runs;
  return { ...entry, runs: [...stay, ...added] };
}

/** Which kinds and tags some runs have. */
export function tagsOfRuns(lists: TagLists, runs: ReadonlySet<string>): { kind: string; tag: string }[] {
  return [...lists].flatMap(([kind, entries]) =>
    entries.filter((entry) => entry.runs.some((run) => runs.has(run))).map(({ tag }) => ({ kind, tag })),
  );
}
