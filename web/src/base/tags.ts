/** Tags are paths: the part before the first slash groups, the rest is what people scan for. */

export interface TagGroup<T> {
  readonly prefix: string;
  readonly entries: readonly T[];
}

export function splitTag(tag: string): { prefix: string; leaf: string } {
  const slash = tag.indexOf("/");
  // A slash at the very start or end separates nothing.
  return slash <= 0 || slash === tag.length - 1
    ? { prefix: "", leaf: tag }
    : { prefix: tag.slice(0, slash + 1), leaf: tag.slice(slash + 1) };
}

/** Groups in alphabetical order; tags without a prefix come last, as they are the odd ones. */
export function groupByPrefix<T extends { readonly tag: string }>(entries: readonly T[]): TagGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const { prefix } = splitTag(entry.tag);
    const group = groups.get(prefix);
    if (group) group.push(entry);
    else groups.set(prefix, [entry]);
  }
  return [...groups]
    .sort(([a], [b]) => (a === "" ? 1 : b === "" ? -1 : byName(a, b)))
    .map(([prefix, group]) => ({ prefix, entries: group.sort((a, b) => byName(a.tag, b.tag)) }));
}

const order = new Intl.Collator("en", { numeric: true });
/** layer2 before layer10. */
export const byName = (a: string, b: string): number => order.compare(a, b);

/** A filter as typed: a regular expression, or the reason why it is none. An empty one matches all. */
export function parseFilter(text: string): { matches: (name: string) => boolean; error: string } {
  if (text.trim() === "") return { matches: () => true, error: "" };
  try {
    const pattern = new RegExp(text, "i");
    return { matches: (name) => pattern.test(name), error: "" };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    return { matches: () => true, error: `Not a regular expression: ${reason}` };
  }
}
