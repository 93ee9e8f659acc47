/** What the view shows, without a page around it: this is what tests look at. */

export interface Bar {
  readonly run: string;
  readonly points: number;
  /** Of the longest, 0 to 1. */
  readonly share: number;
}

/** Longest first, and only what is shown. */
export function barsOf(counts: Readonly<Record<string, number>>, shown: readonly string[]): Bar[] {
  const found = shown.flatMap((run) => (counts[run] === undefined ? [] : [{ run, points: counts[run] }]));
  const most = Math.max(1, ...found.map(({ points }) => points));
  return found.map((bar) => ({ ...bar, share: bar.points / most })).sort((a, b) => b.points - a.points);
}
