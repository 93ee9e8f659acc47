import { tagNames } from "$public/core";

const SEPARATOR = /[./]/;

/** A filter for other tabs that these tags of a layer match, and no others unless their names are too long for that. */
export function tagFilterOf(tags: readonly string[], layer: string): string {
  const exact = `^(?:${tags.map(tagNames.escapePattern).join("|")})$`;
  if (exact.length <= tagNames.MAX_PATTERN) return exact;
  return layer.split(SEPARATOR).map(tagNames.escapePattern).join(SEPARATOR.source);
}

/** What tells most about a layer first: sizes of gradients, then what is not finite, then other sizes. */
const ORDER: readonly RegExp[] = [/grad.*norm|norm.*grad/i, /\/(nan|inf)$/, /norm/i];

export function orderForCharts(tags: readonly string[]): readonly string[] {
  const rank = (tag: string): number => ORDER.findIndex((pattern) => pattern.test(tag)) >>> 0;
  return [...tags].sort((a, b) => rank(a) - rank(b));
}
