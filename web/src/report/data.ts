/** What a report holds, and how it lies in the file: one JSON text, and a text for the columns of each chart. */

import { unzlibSync } from "fflate";
import { pointWeight, smoothingOf, type Smoothing } from "../base/smoothing";
import { extentX } from "../chart/domain";
import { seriesOf, xAt, type SeriesSet } from "../chart/series";
import type { Axis, SeriesBlock } from "../data/api";
import { decodeColumns, rowColumn, type ColumnBlock } from "../data/columns";
import type { Range } from "../chart/scale";
import type { Cell } from "../data/table";
import type { TableColumn } from "./table";

export interface ReportRun {
  readonly name: string;
  readonly label: string;
  /** A colour "#rrggbb" that somebody chose; else it goes by the run's place. */
  readonly colour: string;
  readonly place: number;
  /** Safe HTML of its notes. */
  readonly notes: string;
}

export interface ReportChart {
  readonly tag: string;
  /** Of the element that holds its columns. */
  readonly id: string;
  readonly runs: number;
  readonly points: number;
  readonly rows: number;
}

export interface DiffRow {
  readonly key: string;
  readonly values: readonly Cell[];
}

export interface DiffMetric {
  readonly tag: string;
  readonly goal: string;
  readonly final: readonly Cell[];
  readonly best: readonly Cell[];
  readonly best_step: readonly Cell[];
  readonly divergence: string;
}

export interface ReportDiff {
  readonly runs: readonly string[];
  readonly sections: readonly { readonly name: string; readonly rows: readonly DiffRow[] }[];
  readonly metrics: readonly DiffMetric[];
  readonly gitDiffs: readonly { readonly run: string; readonly text: string }[];
}

export interface Report {
  readonly title: string;
  readonly madeSecs: number;
  readonly version: string;
  readonly query: string;
  /** Safe HTML of the report's own notes. */
  readonly notes: string;
  /** Sentences that a reader must know: what was downsampled, what was left out. */
  readonly remarks: readonly string[];
  readonly runs: readonly ReportRun[];
  readonly table: readonly TableColumn[];
  readonly charts: readonly ReportChart[];
  readonly diff: ReportDiff | null;
}

export function readReport(text: string): Report {
  return JSON.parse(text) as Report;
}

/** Base64 of zlib of a block of columns, as cli/report/charts.py writes it. Not asynchronous: print waits for nothing. */
export function readChart(text: string): SeriesBlock {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) packed[at] = letters.charCodeAt(at);
  const { buffer, byteOffset, byteLength } = unzlibSync(packed);
  const block = decodeColumns(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  const { header, columns, shared } = block;
  const wall = wallTimes(block);
  return {
    tag: header.tag as string,
    runs: header.runs as string[],
    columns: wall ? { ...columns, wall_last: wall } : columns,
    shared,
  };
}

/** Times are written as seconds since the run's first point: float32 is enough for those. */
function wallTimes(block: ColumnBlock): Float64Array | null {
  const { offsets, began } = block.columns;
  const relative = rowColumn(block, "relative");
  if (!offsets || !began || !relative) return null;
  const wall = new Float64Array(relative.length);
  for (let run = 0; run < began.length; run += 1) {
    for (let row = offsets[run]!; row < offsets[run + 1]!; row += 1) wall[row] = began[run]! + relative[row]!;
  }
  return wall;
}

/** The series of a chart; with smoothing, the moving average over its rows. */
export function setOf(block: SeriesBlock, axis: Axis, smoothing: Smoothing, shown: Range | null = null): SeriesSet {
  const set = seriesOf(block, { axis });
  if (smoothing.weight === 0) return set;
  const visible = shown ?? extentX(set, [...set.series.keys()]);
  return { ...set, curve: smoothed(set, (spacing) => pointWeight(smoothingOf(smoothing, visible), spacing)) };
}

/** Of fewer points each one is a result: kMinSmoothedPoints of core/query/smooth.h. */
const MIN_SMOOTHED_POINTS = 20;

/** TensorBoard's moving average, debiased: it skips what is not finite and leaves short and constant series alone. */
export function smoothed(set: SeriesSet, weightOf: (spacing: number) => number): Float64Array {
  const { raw, offsets } = set;
  const out = new Float64Array(raw.length);
  for (let series = 0; series + 1 < offsets.length; series += 1) {
    const rows = raw.subarray(offsets[series], offsets[series + 1]);
    const isAsLogged = rows.length < MIN_SMOOTHED_POINTS || rows.every((value) => value === rows[0]);
    const width = rows.length > 0 ? xAt(set, series, offsets[series + 1]! - 1) - xAt(set, series, offsets[series]!) : 0;
    const weight = weightOf(width / (rows.length - 1));
    let last = 0;
    let seen = 0;
    rows.forEach((value, row) => {
      if (!isAsLogged && Number.isFinite(value)) {
        last = last * weight + (1 - weight) * value;
        seen += 1;
      }
      out[offsets[series]! + row] = isAsLogged || !Number.isFinite(value) ? value : last / (1 - weight ** seen);
    });
  }
  return out;
}
