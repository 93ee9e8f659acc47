/** What stands behind a row of a tooltip, in words. */

import { formatCount, formatValue } from "../base/format";
import type { TipRow } from "./pick";
import type { GroupColumns } from "./series";

/** "2 NaN, 1 ∞"; empty where every value was finite. */
export function nonFiniteWords({ nan, posinf, neginf }: TipRow): string {
  const parts = [
    [nan, NaN],
    [posinf, Infinity],
    [neginf, -Infinity],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, value]) => `${formatCount(count)} ${formatValue(value)}`)
    .join(", ");
}

/** What is written above the band of a group. */
export const BAND_WORDS: Readonly<Record<GroupColumns["band"], string>> = {
  deviation: "± 1σ",
  range: "Min – max",
  confidence: "± 95 %",
};

export function bandText({ low, high, members }: TipRow, band: GroupColumns["band"]): string {
  if (members < 2) return "–";
  return band === "range" ? `${formatValue(low)} – ${formatValue(high)}` : `± ${formatValue((high - low) / 2)}`;
}

/** Sentences for what the numbers of a row do not say by themselves. */
export function rowWords(row: TipRow): string[] {
  const words: string[] = [];
  const lost = nonFiniteWords(row);
  const range = `${formatValue(row.low)} … ${formatValue(row.high)}`;
  if (row.count > 1 && Number.isFinite(row.mean)) {
    const mean = row.kind === "mean" ? "" : ` ${formatValue(row.mean)}`;
    words.push(`mean of ${formatCount(row.count)} steps${mean}${Number.isFinite(row.low) ? `, ${range}` : ""}`);
  }
  // Of a line that a view computed: what was logged once has no range, and groups have a column for theirs.
  if (row.count === 1 && row.members === 1 && row.low < row.high) words.push(`band ${range}`);
  if (row.count === 1 && lost)
    words.push(`${formatValue(row.value)} was logged here: it has no place on the axis, ▲ marks it`);
  else if (lost) words.push(`${lost} among the ${formatCount(row.count)} steps: no place on the axis, ▲ marks them`);
  return words;
}
