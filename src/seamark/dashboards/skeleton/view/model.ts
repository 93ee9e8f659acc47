/** What the view shows, computed without a page: tests use it directly. */

export interface Bar {
  readonly run: string;
  readonly points: number;
  /** Of the longest, 0 to 1. */
  readonly share: number;
}

/** The shown runs, longest first. */
export function barsOf(counts: Readonly<Record<string, number>>, shown: readonly string[]): Bar[] {
  const found = shown.flatMap((run) => (counts[run] === undefined ? [] : [{ run, points: counts[run] }]));
  const longest = Math.max(1, ...found.map(({ points }) => points));
  return found.map((bar) => ({ ...bar, share: bar.points / longest })).sort((a, b) => b.points - a.points);
}
