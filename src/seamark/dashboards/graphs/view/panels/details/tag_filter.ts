import { tagNames } from "$public/core";

const SEPARATOR = /[./]/;

/** A filter for other tabs that these tags of a layer match, and no others unless their names are too long for that. */
export function tagFilterOf(tags: readonly string[], layer: string): string {
  const exact = `^(?:${tags.map(tagNames.escapePattern).join("|")})$`;
  if (exact.length <= tagNames.MAX_PATTERN) return exact;
  return layer.split(SEPARATOR).map(tagNames.escapePattern).join(SEPARATOR.source);
}
