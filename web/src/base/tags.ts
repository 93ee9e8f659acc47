/** Tags are paths: the part before the first slash groups, the rest is what people scan for. */

import { isResult, sectionRank } from "./section_rank";

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
  return [...groups]
    .map(([prefix, group]) => {
      const tags = group.map((entry) => ({ entry, isResult: isResult(entry.tag.slice(prefix.length)) }));
      const rank = sectionRank(prefix, () => tags.some((tag) => tag.isResult), comesLater?.(group));
      return { prefix, tags, rank };
    })
    .sort((a, b) => a.rank - b.rank || byName(a.prefix, b.prefix))
    .map(({ prefix, tags }) => ({
      prefix,
      title: prefix || "No prefix",
      entries: tags
        .sort((a, b) => Number(b.isResult) - Number(a.isResult) || byName(a.entry.tag, b.entry.tag))
        .map(({ entry }) => entry),
    }));
}

/** layer2 before layer10, whatever the case: the order of Intl's collator, which takes a browser 20 ms to make, before the first chart. */
export const byName = (a: string, b: string): number =>
  PLAIN.test(a) && PLAIN.test(b)
    ? byPlainName(a, b)
    : (collator ??= new Intl.Collator("en", { numeric: true })).compare(a, b);

let collator: Intl.Collator | undefined;
/** What names of tags and runs are made of, as a rule, in the collator's order; letters come last. */
const PLAIN = /^[\w\-./ ]*$/;
const SIGNS = " _-./0123456789";
const WEIGHTS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  const sign = SIGNS.indexOf(letter);
  return sign >= 0 ? sign : SIGNS.length + letter.toLowerCase().charCodeAt(0);
});

/** Character by character: thousands of tags are sorted before the first chart. */
function byPlainName(a: string, b: string): number {
  let tie = 0; // between names that differ in case alone: small letters first
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(j)];
    if (isDigit(one) && isDigit(other)) {
      const [iEnd, jEnd] = [endOfDigits(a, i), endOfDigits(b, j)];
      const difference = byNumber(a.slice(i, iEnd), b.slice(j, jEnd));
      if (difference !== 0) return Math.sign(difference);
      [i, j] = [iEnd, jEnd];
      continue;
    }
    const difference = WEIGHTS[one]! - WEIGHTS[other]!;
    if (difference !== 0) return Math.sign(difference);
    if (tie === 0 && one !== other) tie = one > other ? -1 : 1;
    i += 1;
    j += 1;
  }
  return Math.sign(a.length - i - (b.length - j)) || tie;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Of any length; zeros in front do not count. */
function byNumber(a: string, b: string): number {
  if (a === b) return 0;
  const [one, other] = [a.replace(/^0+(?=.)/, ""), b.replace(/^0+(?=.)/, "")];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}
