/** Histograms of a dimension by facet, with bars that are stacked by colour. */

import { chartAxes, gpu, themeColours, type Mark, type Range } from "$public/charts";
import type { RowColours } from "../fields/colours";
import type { Dimension } from "../fields/dimension";
import type { Facet } from "../fields/facets";
import { toPixel, xAxisOf, yAxisOf, type Panel } from "./layout";

export interface Histogram {
  /** The borders of the bins, in units of the dimension. */
  readonly edges: readonly number[];
  /** By facet, bin and group of colour. */
  readonly counts: readonly (readonly Uint32Array[])[];
  readonly range: Range;
}

const BINS = 30;

export function binEdges({ names, range }: Dimension): readonly number[] {
  if (names.length > 0) return Array.from({ length: names.length + 1 }, (_, at) => at - 0.5);
  const ticks = chartAxes.ticks(chartAxes.LINEAR, range, BINS).map(({ value }) => value);
  const step = ticks.length > 1 ? (ticks[1]! - ticks[0]!) / Math.max(1, Math.round(BINS / ticks.length)) : 1;
  const from = Math.floor(range.from / step);
  const to = Math.max(from + 1, Math.ceil(range.to / step - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
}

export function histogramOf(dimension: Dimension, facets: readonly Facet[], colours: RowColours | null): Histogram {
  const edges = binEdges(dimension);
  const groups = Math.max(1, colours?.groups.length ?? 0);
  const bins = edges.length - 1;
  const perUnit = bins / (edges.at(-1)! - edges[0]!);
  const counts = facets.map(({ rows }) => {
    const byBin = Array.from({ length: bins }, () => new Uint32Array(groups));
    for (const row of rows) {
      // The last bin has its upper border, too.
      const bin = Math.min(bins - 1, Math.floor((dimension.positions[row]! - edges[0]!) * perUnit));
      if (bin >= 0) byBin[bin]![colours?.groupOf[row] ?? 0]! += 1;
    }
    return byBin;
  });
  const most = counts.flat().reduce((max, groupCounts) => Math.max(max, total(groupCounts)), 1);
  return { edges, counts, range: { from: 0, to: most * 1.05 } };
}

export const total = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0);

/** One mark for each group, from the axis up. `range` is that of all rows also for the bars of some of them. */
export function barMarks(
  { edges, counts }: Histogram,
  facet: number,
  panel: Panel,
  { across, range, tokens, theme }: { across: Range; range: Range; tokens: readonly string[]; theme: "light" | "dark" },
): readonly Mark[] {
  const [x, y] = [xAxisOf(panel, across), yAxisOf(panel, range)];
  const bins = counts[facet]!;
  const below = new Float64Array(bins.length);
  return tokens.map((token, group) => {
    const y0 = Float32Array.from(below, (count) => toPixel(y, count));
    bins.forEach((groupCounts, bin) => (below[bin]! += groupCounts[group]!));
    return {
      type: "rects",
      x0: Float32Array.from(bins, (_, bin) => toPixel(x, edges[bin]!) + 0.5),
      x1: Float32Array.from(bins, (_, bin) => Math.max(toPixel(x, edges[bin + 1]!) - 0.5, toPixel(x, edges[bin]!) + 1)),
      y0,
      y1: Float32Array.from(below, (count) => toPixel(y, count)),
      colour: themeColours.tokenPixel(token, theme),
      clip: { ...panel },
      transform: gpu.PIXELS,
    };
  });
}
