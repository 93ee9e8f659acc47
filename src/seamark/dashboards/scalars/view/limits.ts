/** Axis limits as people type them: 0.5, 1e-3, 25k, 2.5M; along a time axis also 90s, 15m, 1h 30m. Nothing is "as the data has it". */

import type { TypedRange } from "$public/charts";

const UNITS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12, "%": 0.01 };
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Null: nothing typed. NaN: not a number. */
export function parseLimit(text: string, { isTime = false } = {}): number | null {
  const typed = text
    .trim()
    .replace(/−/g, "-")
    .replace(/[,_](?=\d{3}(\D|$))/g, "");
  if (typed === "") return null;
  if (NUMBER.test(typed)) return Number(typed);
  if (isTime) return parseTime(typed);
  const unit = UNITS[typed.at(-1)!];
  const rest = typed.slice(0, -1).trim();
  return unit !== undefined && NUMBER.test(rest) ? Number((Number(rest) * unit).toPrecision(15)) : NaN;
}

function parseTime(typed: string): number {
  const parts = [...typed.matchAll(/\s*([\d.]+)\s*([smhd])\s*/gy)];
  if (parts.length === 0 || parts.map(([part]) => part).join("").length !== typed.length) return NaN;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * SECONDS[unit!]!, 0);
}

/** A sentence that says what is wrong, or nothing. */
export function limitsError(range: TypedRange, { isLog = false } = {}): string {
  if (Number.isNaN(range.from) || Number.isNaN(range.to)) return "Not a number. Examples: 0.5, 1e-3, 25k.";
  if (range.from !== null && range.to !== null && range.from >= range.to)
    return "The lower limit must be below the upper one.";
  if (isLog && ((range.from !== null && range.from <= 0) || (range.to !== null && range.to <= 0)))
    return "A log axis begins above zero.";
  return "";
}
