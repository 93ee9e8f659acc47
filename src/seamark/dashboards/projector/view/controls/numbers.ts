/** Numbers as people type them. */

export const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** Null if it is none; `zero` is a word for 0, such as "auto". */
export function typedNumber(text: string, zero = ""): number | null {
  const trimmed = text.trim();
  if (zero && trimmed.toLowerCase() === zero) return 0;
  const value = Number(trimmed.replace(/[,\s]/g, ""));
  return trimmed !== "" && Number.isFinite(value) ? value : null;
}
