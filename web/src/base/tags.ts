/** Tags are paths: the part before the first slash groups, the rest is what people scan for. */

import { createJudge, sectionRank } from "./section_rank";

export interface TagGroup<T> {
  readonly prefix: string;
  /** The heading of its section. */
  readonly title: string;
  readonly entries: readonly T[];
}

export function splitTag(tag: string): { prefix: string; leaf: string } {
  const slash = tag.indexOf("/");
  // A slash at the very start or end separates nothing.
  return slash <= 0 || slash === tag.length - 1
    ? { prefix: "", leaf: tag }
    : { prefix: tag.slice(0, slash + 1), leaf: tag.slice(slash + 1) };
}

/**
 * Sections in the order of docs/time-series.md, on every dashboard: those with results first, then the others by name, the machine's
 * last; within a section, results first. `comesLater` names groups that come after the others: in Time series those without scalars.
 */
export function groupByPrefix<T extends { readonly tag: string }>(
  entries: readonly T[],
  comesLater?: (group: readonly T[]) => boolean,
): TagGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const { prefix } = splitTag(entry.tag);
    const group = groups.get(prefix);
    if (group) group.push(entry);
    else groups.set(prefix, [entry]);
  }
  const judge = createJudge();
  const sections = [...groups].map(([prefix, group]) => {
    const findings = new Map(group.map((entry) => [entry, judge(entry.tag.slice(prefix.length))]));
    return {
      prefix,
      title: prefix || "No prefix",
      entries: sortByName(
        group,
        ({ tag }) => tag.slice(prefix.length),
        (entry) => (findings.get(entry) === null ? 1 : 0),
      ),
      rank: sectionRank(prefix, new Set(findings.values()), comesLater?.(group)),
    };
  });
  return sortByName(
    sections,
    ({ prefix }) => prefix,
    ({ rank }) => rank,
  );
}

/** layer2 before layer10, whatever the case: the order of Intl's collator, which takes a browser 20 ms to make, before the first chart. */
export const byName = (a: string, b: string): number => compareNames(a, sortKey(a), b, sortKey(b));

/** As `byName`, for many items: the keys are computed once. `rankOf` comes before the name. */
export function sortByName<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  rankOf: (item: T) => number = () => 0,
): T[] {
  return items
    .map((item) => {
      const name = nameOf(item);
      return { item, name, key: sortKey(name), rank: rankOf(item) };
    })
    .sort((a, b) => a.rank - b.rank || compareNames(a.name, a.key, b.name, b.key))
    .map(({ item }) => item);
}

let collator: Intl.Collator | undefined;
/** What names of tags and runs usually consist of. */
const PLAIN = /^[\w\-./ ]*$/;

/** A text that sorts as the collator sorts the name; null if only the collator can tell. */
function sortKey(name: string): string | null {
  // The collator has the signs in the order " _-./", before digits and letters: "!" takes the position of "_".
  return PLAIN.test(name) ? name.toLowerCase().replaceAll("_", "!").replace(/\d+/g, numberKey) : null;
}

/** Digits after their count; zeros in front do not count. */
function numberKey(digits: string): string {
  const plain = digits.replace(/^0+(?=.)/, "");
  return "9".repeat(Math.floor(plain.length / 9)) + (plain.length % 9) + plain;
}

function compareNames(a: string, aKey: string | null, b: string, bKey: string | null): number {
  if (aKey === null || bKey === null) return (collator ??= new Intl.Collator("en", { numeric: true })).compare(a, b);
  if (aKey !== bKey) return aKey < bKey ? -1 : 1;
  if (a === b) return 0;
  // They differ in case, or in zeros in front of numbers alone: small letters first.
  const [one, other] = [a.replace(/\d+/g, ""), b.replace(/\d+/g, "")];
  return one === other ? 0 : one > other ? -1 : 1;
}
