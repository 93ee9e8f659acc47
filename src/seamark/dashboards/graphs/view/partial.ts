/** Sums of which a part may not be known. */

export const UNKNOWN = "not known";

/** "–" for nothing, "≥ 5" for a part, "5" for all. */
export function partText(value: number | null, hasMore: boolean, text: (value: number) => string): string {
  if (value === null) return "–";
  return hasMore ? `≥ ${text(value)}` : text(value);
}

/** The same in a sentence: "not known", "at least 5 parameters", "5 parameters". */
export function partWords(value: number | null, hasMore: boolean, text: (value: number) => string): string {
  if (value === null) return UNKNOWN;
  return hasMore ? `at least ${text(value)}` : text(value);
}
