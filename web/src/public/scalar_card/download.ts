/** Files made in the browser: points as they were logged, pictures as they are shown. Loaded when the first is made. */

import { fileName, saveBlob } from "../../base/save";
import { toPng } from "../../chart/png";
import type { ChartSpec } from "../../chart/spec";
import { toSvg } from "../../chart/svg";
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
    smoothing: 0,
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

/** As it is on the screen. */
export interface Picture {
  readonly spec: ChartSpec;
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

export function saveSvg({ spec, ...options }: Picture): void {
  saveBlob(new Blob([toSvg(spec, options)], { type: "image/svg+xml" }), fileName(options.title, "svg"));
}

export async function savePng({ spec, ...options }: Picture): Promise<void> {
  saveBlob(await toPng(spec, options), fileName(options.title, "png"));
}
