/** Tags are paths: the part before the first slash groups, the rest is what people scan for. */

import { createJudge, isMachineSection, sectionRank } from "./section_rank";

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

/** Whether a tag is about the machine and not about the model: system/cpu. */
export const isMachineTag = (tag: string): boolean => isMachineSection(splitTag(tag).prefix);

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

/**
 * Numbers by size, decimals too, whatever the case: layer2 before layer10, lr0.02 before lr0.1, lr3e-4 before lr1e-3. A run comes
 * right before what is in its folder. Otherwise the order of Intl's collator, which takes a browser 20 ms to make, before the first
 * chart. `seamark.format.name_order` has the same order for the server.
 */
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
/** What names of tags and runs usually consist of, as `comparable` returns them. */
const PLAIN = /^[\w\-. \t\n]*$/;
/** A version (v1.10), an address (1.2.3.4) and a name of torch's (layers.0.10.weight) have no decimals. */
const NUMBERS = /(?<![\d.v])(\d+)(?:\.(\d+))?e-(\d\d?)(?![\da-z.])|(?<![\d.v])(\d+)\.(\d+)(?![\d.])|\d+/gi;
/** Slashes separate first, then numbers: these are the first signs of the collator, and of ASCII. */
const [SLASH, NUMBER_END] = ["\t", "\n"];

/** A text that a comparison by whole numbers orders as the name is to be ordered: the digits behind a point count one by one. */
export function comparable(name: string): string {
  return name
    .replace(NUMBERS, (digits: string, whole?: string, part = "", exponent?: string, int?: string, fraction = "") => {
      if (exponent !== undefined) return decimal(...shifted(whole!, part, Number(exponent)));
      return int === undefined ? digits + NUMBER_END : decimal(int, fraction);
    })
    .replaceAll("/", SLASH);
}

const decimal = (whole: string, fraction: string): string =>
  [whole, ...fraction.replace(/0+$/, "")].join(".") + NUMBER_END;

/** 25.5e-3 is 0.0255. */
function shifted(whole: string, fraction: string, places: number): [whole: string, fraction: string] {
  const digits = whole.padStart(places + 1, "0");
  return [digits.slice(0, -places || undefined), (places > 0 ? digits.slice(-places) : "") + fraction];
}

/** A text that sorts as the collator sorts the comparable name; null if only the collator can tell. */
function sortKey(name: string): string | null {
  const text = comparable(name);
  // The collator has the signs in the order " _-.", before digits and letters: "!" takes the position of "_".
  return PLAIN.test(text) ? text.toLowerCase().replaceAll("_", "!").replace(/\d+/g, numberKey) : null;
}

/** Digits after their count; zeros in front do not count. */
function numberKey(digits: string): string {
  const plain = digits.replace(/^0+(?=.)/, "");
  return "9".repeat(Math.floor(plain.length / 9)) + (plain.length % 9) + plain;
}

function compareNames(a: string, aKey: string | null, b: string, bKey: string | null): number {
  if (aKey === null || bKey === null) {
    collator ??= new Intl.Collator("en", { numeric: true });
    return collator.compare(comparable(a), comparable(b));
  }
  if (aKey !== bKey) return aKey < bKey ? -1 : 1;
  if (a === b) return 0;
  // They differ in case, or in zeros around numbers alone: small letters first.
  const [one, other] = [comparable(a).replace(/\d+/g, ""), comparable(b).replace(/\d+/g, "")];
  return one === other ? 0 : one > other ? -1 : 1;
}
