/** Tags are paths: the part before the first slash groups, the rest is what people scan for. */

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

/** What people look at first, by the words in a section's name: `train`, `val_loss`, `Metrics`. */
const RESULTS = new Set([
  "train",
  "training",
  "val",
  "valid",
  "validation",
  "eval",
  "evaluation",
  "test",
  "testing",
  "dev",
  "loss",
  "losses",
  "acc",
  "accuracy",
  "metric",
  "metrics",
  "score",
  "scores",
  "reward",
  "rewards",
  "rollout",
]);
const SYSTEM = "system/";

function rankOf(prefix: string, isLater: boolean): number {
  if (prefix === SYSTEM) return 4;
  const isResult =
    prefix === "" ||
    prefix
      .slice(0, -1)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((word) => RESULTS.has(word));
  return (isLater ? 2 : 0) + (isResult ? 0 : 1);
}

/**
 * Sections in the order of docs/time-series.md, on every dashboard: results first, tags without a prefix before all; then the others by name; `system/` last.
 * `comesLater` names groups that are behind all but `system/`: in Time series those without scalars.
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
    .map(([prefix, group]) => ({ prefix, group, rank: rankOf(prefix, comesLater?.(group) ?? false) }))
    .sort((a, b) => a.rank - b.rank || byName(a.prefix, b.prefix))
    .map(({ prefix, group }) => ({
      prefix,
      title: prefix || "No prefix",
      entries: group.sort((a, b) => byName(a.tag, b.tag)),
    }));
}

/** layer2 before layer10, whatever the case: the order of Intl's collator, which takes a browser 20 ms to make, before the first chart. */
export const byName = (a: string, b: string): number =>
  PLAIN.test(a) && PLAIN.test(b)
    ? byPlainName(a, b)
    : (collator ??= new Intl.Collator("en", { numeric: true })).compare(a, b);

let collator: Intl.Collator | undefined;
/** What names of tags and runs are made of, as a rule, in the collator's order; letters come behind. */
const PLAIN = /^[\w\-./ ]*$/;
const SIGNS = " _-./0123456789";
const weightOf = (letter: string): number => {
  const sign = SIGNS.indexOf(letter);
  return sign >= 0 ? sign : SIGNS.length + letter.toLowerCase().charCodeAt(0);
};

function byPlainName(a: string, b: string): number {
  const [left, right] = [a.match(/\d+|\D/g) ?? [], b.match(/\d+|\D/g) ?? []];
  let tie = 0; // between names that differ in case alone: small letters first
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [one, other] = [left[at]!, right[at]!];
    if (one === other) continue;
    const difference = isDigit(one) && isDigit(other) ? byNumber(one, other) : weightOf(one[0]!) - weightOf(other[0]!);
    if (difference !== 0) return Math.sign(difference);
    if (tie === 0 && one.toLowerCase() === other.toLowerCase() && !isDigit(one)) tie = one > other ? -1 : 1;
  }
  return Math.sign(left.length - right.length) || tie;
}

const isDigit = (part: string): boolean => part >= "0" && part <= "9~";

/** Of any length; zeros in front do not count. */
function byNumber(a: string, b: string): number {
  const [one, other] = [a.replace(/^0+(?=.)/, ""), b.replace(/^0+(?=.)/, "")];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}
