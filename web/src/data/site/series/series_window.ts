/**
 * A window of series, downsampled to pixels, computed in the page as the server does (core/query/downsample.cc). Sums may be added
 * in another order, so means differ in their last digits.
 */

import type { NumberColumn } from "../../columns";
import { writeBuckets, type BucketLine } from "./bucket_rows";
import { LevelSeries } from "./level_series";
import type { LineSource } from "./line_source";
import { writePoints } from "./point_rows";
import { RowBounds, RowWriter } from "./rows";
import { linesOf, pointsOf, type Line } from "./series_lines";
import { lineWeight } from "./smoothed";
import type { SeriesPoints } from "./series_points";
import type { WindowRequest } from "./window_request";

/** Every point of a short series, or a long one that is read in parts. */
export type Series = SeriesPoints | LevelSeries;

/** The columns of the response: one row per point or pixel, and numbers for each series. */
export async function windowOf(
  series: readonly Series[],
  request: WindowRequest,
): Promise<Record<string, NumberColumn>> {
  const sources = await Promise.all(series.map((one) => sourcesOf(one, request)));
  const { start, stop } = requestedRange(request, sources.flat());
  const { width, attempts } = request;
  const window = { start, stop, width };
  const smoothing = { visible: stop - start, ...request.smoothing };
  const lines = await Promise.all(
    sources.map((own) =>
      Promise.all(
        (start <= stop ? own : []).map(async (source) => {
          const weight = lineWeight(source, smoothing);
          return { weight, line: await source.load({ ...window, weight }) };
        }),
      ),
    ),
  );
  const bounds = new RowBounds(window, request.edges);
  const out = new RowWriter(request, expectedRows(lines.flat(), width));
  const offsets = new Float64Array(series.length + 1);
  const points = new Float64Array(series.length);
  const began = new Float64Array(series.length);
  const weights = new Float64Array(series.length);
  lines.forEach((own, at) => {
    offsets[at] = out.rows;
    out.earliest = NaN;
    for (const { line, weight } of own) {
      weights[at] = weight;
      points[at]! +=
        "counts" in line ? writeBuckets(line, window, weight, out) : writePoints(line, bounds, weight, out);
    }
    began[at] = out.earliest;
  });
  offsets[series.length] = out.rows;
  const shapes = series.map(shapeOf);
  return {
    offsets,
    ...out.columns(),
    points,
    total: Float64Array.from(shapes, ({ rows, spans }) => pointsOf(rows, spans, attempts)),
    stored: Float64Array.from(shapes, ({ rows }) => rows),
    ...(smoothing.weight > 0 && (request.columns?.includes("weight") ?? true) ? { weight: weights } : {}),
    ...(request.columns?.includes("began") ? { began } : {}),
  };
}

async function sourcesOf(series: Series, { axis, attempts }: WindowRequest): Promise<LineSource[]> {
  const inParts = series instanceof LevelSeries ? series.lines(axis, attempts) : null;
  if (inParts) return inParts;
  const points = series instanceof LevelSeries ? await series.allPoints() : series;
  return linesOf(points, axis, attempts).map((line) => ({
    points: line.x.length,
    first: line.x[0]!,
    last: line.x.at(-1)!,
    // Looked at only if it is smoothed.
    get isConstant() {
      return line.values.every((value) => value === line.values[0]);
    },
    load: () => Promise.resolve(line),
  }));
}

/** At most, unless there are edges. */
function expectedRows(lines: readonly { readonly line: Line | BucketLine }[], width: number): number {
  return lines.reduce((sum, { line: { x } }) => sum + (width === 0 ? x.length : Math.min(x.length, width)), 1);
}

const shapeOf = (series: Series): { rows: number; spans: SeriesPoints["spans"] } =>
  series instanceof LevelSeries
    ? { rows: series.head.count, spans: series.head.spans }
    : { rows: series.steps.length, spans: series.spans };

/** The range that the request names; where it names none, that of all lines. */
function requestedRange({ start, stop }: WindowRequest, lines: readonly LineSource[]): { start: number; stop: number } {
  const common = { start: Infinity, stop: -Infinity };
  for (const { first, last } of lines) {
    common.start = Math.min(common.start, first);
    common.stop = Math.max(common.stop, last);
  }
  return {
    start: start !== null && start > -Infinity ? start : common.start,
    stop: stop !== null && stop < Infinity ? stop : common.stop,
  };
}
