/** Histograms as the server sends them: one tag of several runs, the buckets of all in three long columns. */

import type { Axis } from "./api";
import type { ColumnBlock, NumberColumn } from "./columns";
import { requestBlock } from "./request";
import type { Attempts } from "./series";

/** What `percentiles` are the values at. */
export const PERCENTS = [0, 6.68, 15.87, 30.85, 50, 69.15, 84.13, 93.32, 100] as const;

/** Something looks unhealthy, by a rule that has a name. */
export interface Hint {
  readonly run: string;
  readonly rule: string;
  readonly step: number;
  readonly words: string;
}

export interface HistogramBlock {
  readonly tag: string;
  readonly runs: readonly string[];
  /** One entry per histogram. */
  readonly run: NumberColumn;
  readonly step: NumberColumn;
  readonly wall: NumberColumn;
  /** Values that are in no bucket, being NaN or infinite. */
  readonly leftOut: NumberColumn;
  /** Buckets of histogram i lie in [offsets[i], offsets[i + 1]); empty when they were not asked for. */
  readonly offsets: NumberColumn;
  readonly left: NumberColumn;
  readonly right: NumberColumn;
  readonly count: NumberColumn;
  /** Nine per histogram; empty when they were not asked for. */
  readonly percentiles: NumberColumn;
  /** One entry per run. */
  readonly points: NumberColumn;
  readonly total: NumberColumn;
  readonly began: NumberColumn;
  /** So many at the end of a run are of an attempt that a restart replaced. */
  readonly replaced: NumberColumn;
  /** Histograms that could not be read, by row. */
  readonly problems: ReadonlyMap<number, string>;
  /** Null when only a window was asked for. */
  readonly health: readonly Hint[] | null;
}

export interface HistogramRequest {
  readonly tag: string;
  readonly runs: readonly string[];
  readonly axis: Axis;
  readonly along: { readonly from: number; readonly to: number } | null;
  /** Of each run. */
  readonly most: number;
  readonly parts: "buckets" | "percentiles" | "all";
  readonly attempts: Attempts;
}

const NOTHING = new Float64Array(0);

export async function fetchHistograms({
  tag,
  runs,
  axis,
  along,
  most,
  parts,
  attempts,
}: HistogramRequest): Promise<HistogramBlock> {
  const query = new URLSearchParams({ tag, axis, limit: String(most), parts, attempts });
  for (const run of runs) query.append("run", run);
  if (along) {
    query.set("start", String(along.from));
    query.set("stop", String(along.to));
  }
  return readBlock(await requestBlock(`api/histograms?${query}`));
}

export function readBlock({ header, columns }: ColumnBlock): HistogramBlock {
  const { tag, runs, problems, health } = header as unknown as {
    tag: string;
    runs: string[];
    problems: { row: number; message: string }[];
    health: Hint[] | null;
  };
  const column = (name: string): NumberColumn => columns[name] ?? NOTHING;
  return {
    tag,
    runs,
    health,
    problems: new Map(problems.map(({ row, message }) => [row, message])),
    run: column("run"),
    step: column("step"),
    wall: column("wall"),
    leftOut: column("left_out"),
    offsets: column("offsets"),
    left: column("left"),
    right: column("right"),
    count: column("count"),
    percentiles: column("percentiles"),
    points: column("points"),
    total: column("total"),
    began: column("began"),
    replaced: column("replaced"),
  };
}

/** Rows [from, to) of one run: they lie together. */
export function rowsOfRun({ run, runs }: HistogramBlock, name: string): { from: number; to: number } {
  const wanted = runs.indexOf(name);
  const from = run.indexOf(wanted as never);
  if (wanted < 0 || from < 0) return { from: 0, to: 0 };
  return { from, to: run.lastIndexOf(wanted as never) + 1 };
}
