/** The distribution of a column of numbers in a few values. */

export const QUANTILES = [0, 0.25, 0.5, 0.75, 1] as const;

export interface ColumnSummary {
  /** At QUANTILES. */
  readonly quantiles: readonly number[];
  readonly missing: number;
}

/** Null without a finite value. */
export function summaryOf(values: ArrayLike<number>): ColumnSummary | null {
  const finite = Float64Array.from(values).filter((value) => Number.isFinite(value)).sort(); // prettier-ignore
  if (finite.length === 0) return null;
  const quantiles = QUANTILES.map((share) => {
    const at = share * (finite.length - 1);
    const [low, high] = [finite[Math.floor(at)]!, finite[Math.ceil(at)]!];
    return low + (high - low) * (at - Math.floor(at));
  });
  return { quantiles, missing: values.length - finite.length };
}
