/** Files made in the browser: points as they were logged, pictures as they are shown. Loaded when the first is made. */

import { AS_LOGGED } from "../../base/smoothing";
import { fileName, saveBlob } from "../../base/save";
import { toPng } from "../../chart/png";
import type { ChartSpec } from "../../chart/spec";
import { toSvg, type SvgOptions } from "../../chart/svg";
import type { SeriesBlock, TagEntry } from "../../data/api";
import { fetchWindow, payloadAttempts } from "../../data/series";
import type { DashboardContext } from "../plugin";
import { CSV_HEAD, csvRows, jsonText, POINT_COLUMNS } from "./point_files";

/** Every point of a tag in the shown runs. */
function allPoints({ runs, settings }: DashboardContext, { tag, runs: having }: TagEntry): Promise<SeriesBlock> {
  const shown = having.filter((run) => runs.isShown(run));
  return fetchWindow({
    tag,
    runs: shown,
    axis: "step",
    range: null,
    width: 0,
    smoothing: AS_LOGGED,
    attempts: payloadAttempts(settings.attempts),
    columns: POINT_COLUMNS,
  });
}

export async function saveCsv(context: DashboardContext, entries: readonly TagEntry[], title: string): Promise<void> {
  const blocks = await Promise.all(entries.map((entry) => allPoints(context, entry)));
  saveBlob(new Blob([CSV_HEAD, ...blocks.map(csvRows)], { type: "text/csv" }), fileName(title, "csv"));
}

export async function saveJson(context: DashboardContext, entries: readonly TagEntry[], title: string): Promise<void> {
  const blocks = await Promise.all(entries.map((entry) => allPoints(context, entry)));
  saveBlob(new Blob([jsonText(blocks)], { type: "application/json" }), fileName(title, "json"));
}

/** Of a chart, as large as on the screen unless a figure was asked for. */
export interface Picture extends SvgOptions {
  readonly spec: ChartSpec;
}

export function saveSvg({ spec, ...options }: Picture): void {
  saveBlob(new Blob([toSvg(spec, options)], { type: "image/svg+xml" }), fileName(options.title, "svg"));
}

export async function savePng({ spec, ...options }: Picture, scale?: number): Promise<void> {
  saveBlob(await toPng(spec, options, scale), fileName(options.title, "png"));
}

export async function copyPng({ spec, ...options }: Picture, scale?: number): Promise<void> {
  // A page that came over plain HTTP from another machine has no clipboard.
  if (!window.ClipboardItem)
    throw new Error("this browser copies pictures only from https:// and from this machine; save a PNG instead");
  // As a promise: it has to be asked for in the moment of the click.
  await navigator.clipboard.write([new ClipboardItem({ "image/png": toPng(spec, options, scale) })]);
}
