/** What people write into the table: tags and notes. What was written here wins over what the run came with. */

import type { RunNotes } from "../../../data/api";
import type { Cell } from "../../../data/table";

export function tagsOf(value: Cell | undefined, notes: RunNotes): readonly string[] {
  return notes.tags ?? (Array.isArray(value) ? (value as readonly string[]) : []);
}

export function noteOf(value: Cell | undefined, notes: RunNotes): string {
  return notes.note ?? (typeof value === "string" ? value : "");
}

/** "a, b,, a" is a and b. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

/** What each run's tags become when one tag goes to all of them or from all of them; runs that stay as they are are left out. */
export function retagged(
  tags: ReadonlyMap<string, readonly string[]>,
  tag: string,
  wanted: boolean,
): Record<string, { tags: string[] }> {
  return Object.fromEntries(
    [...tags].flatMap(([run, own]) => {
      if (own.includes(tag) === wanted) return [];
      return [[run, { tags: wanted ? [...own, tag] : own.filter((other) => other !== tag) }]];
    }),
  );
}

/** Tags with how many of the runs have each, the most common first. */
export function countTags(lists: Iterable<readonly string[]>): [string, number][] {
  const counts = new Map<string, number>();
  for (const tags of lists) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, others]) => others - many || a.localeCompare(b));
}
