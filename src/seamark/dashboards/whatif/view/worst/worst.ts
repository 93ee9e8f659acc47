/** The worst slices as text. */

import { format } from "$public/core";
import { conditionLabel } from "../state/conditions";
import type { ThresholdSlice } from "../state/thresholds";
import type { FoundSlice, WorstSlicesBody, WorstSlicesResult } from "../wire";

export interface SliceText {
  readonly title: string;
  readonly error: string;
  /** "612 rows · ± 3.9" */
  readonly rows: string;
  /** "3.1×" */
  readonly ratio: string;
}

/** A share is a percentage; other metrics are numbers. */
function amount(value: number, isShare: boolean): string {
  return isShare ? `${(value * 100).toFixed(1)}%` : format.value(value);
}

/** Rates of errors are shares; mean errors of a regression are not. */
export const isShare = ({ metric }: WorstSlicesResult): boolean => !/absolute|squared|loss|ndcg/i.test(metric);

export function sliceText(slice: FoundSlice, result: WorstSlicesResult): SliceText {
  const share = isShare(result);
  const half = share ? (slice.half_interval * 100).toFixed(1) : format.value(slice.half_interval);
  return {
    title: slice.conditions.map(conditionLabel).join(", "),
    error: amount(slice.error, share),
    rows: `${format.counted(slice.rows, "row")} · ± ${half}`,
    ratio: slice.ratio === null ? "" : `${slice.ratio.toFixed(1)}×`,
  };
}

/** "error, all 13.2%" */
export const overallNote = (result: WorstSlicesResult): string =>
  `${result.metric}${result.overall === null ? "" : `, all ${amount(result.overall, isShare(result))}`}`;

/** "4,812 slices tried, support ≥ 50, Holm-corrected p < 0.01, overlaps removed." */
export function footer({ tried, min_rows, correction, max_p }: WorstSlicesResult): string {
  const corrected = correction === "" ? "" : `${correction}-corrected `;
  return `${format.counted(tried, "slice")} tried, support ≥ ${format.count(min_rows)}, ${corrected}p < ${max_p}, overlaps removed.`;
}

/** The thresholds of slices by name; slices of numbers need bins that only the performance tab knows. */
export function thresholdsBySlice(
  slices: readonly ThresholdSlice[],
): Pick<WorstSlicesBody, "thresholds_by" | "thresholds"> {
  const isNamed = slices.every(({ conditions }) => conditions.every(({ values }) => values?.length === 1));
  if (slices.length === 0 || !isNamed) return {};
  return {
    thresholds_by: slices[0]!.conditions.map(({ column }) => column),
    thresholds: Object.fromEntries(slices.map(({ name, threshold }) => [name, threshold])),
  };
}
