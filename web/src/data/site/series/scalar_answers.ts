/** Newest values, downloads and patterns over the scalars of a site. */

import { AS_LOGGED } from "../../../base/smoothing";
import { compilePattern, loadEngine } from "../../../base/patterns";
import type { SeriesAnswers } from "./series_answers";
import { linesOf } from "./series_lines";
import { windowOf, type Series } from "./series_window";
import { jsonResponse, needsServer, type Handler, type SiteRequest } from "../site_request";
import { readTags, runsWith } from "../tag_list";

/** The newest point of each run that has a tag. */
export const lastValues =
  (series: SeriesAnswers): Handler =>
  async ({ files, parameters }) => {
    const list = await readTags(files);
    const wanted = parameters.getAll("run");
    const tags = await Promise.all(
      [...new Set(parameters.getAll("tag"))].map(async (tag) => {
        const runs = runsWith(list, "scalars", tag).filter((run) => wanted.length === 0 || wanted.includes(run));
        const points = await Promise.all(runs.map(async (run) => newest(await series.series(tag, run))));
        return {
          tag,
          runs,
          steps: points.map(({ step }) => step),
          walls: points.map(({ wall }) => jsonNumber(wall)),
          values: points.map(({ value }) => jsonNumber(value)),
        };
      }),
    );
    return jsonResponse({ tags });
  };

async function newest(series: Series): Promise<{ step: number; wall: number; value: number }> {
  // Of an endless window at the width of a pixel, the last row ends with the newest point.
  const request = {
    axis: "step",
    start: null,
    stop: null,
    width: 1,
    smoothing: AS_LOGGED,
    attempts: "latest",
  } as const;
  const window = await windowOf([series], { ...request, edges: false, columns: ["step_last", "wall_last", "last"] });
  const last = (name: string): number => window[name]?.at(-1) ?? NaN;
  return { step: last("step_last") || 0, wall: last("wall_last"), value: last("last") };
}

/** JSON has no NaN and no infinities. */
const jsonNumber = (value: number): number | string => (Number.isFinite(value) ? value : String(value));

interface ExportBody {
  readonly format: string;
  readonly tag?: readonly string[];
  readonly run?: readonly string[];
  readonly attempts?: "latest" | "all";
}

/** Every point as CSV, as store/ask/csv_text.py writes it. */
export const exportPoints =
  (series: SeriesAnswers): Handler =>
  async ({ files, body }: SiteRequest) => {
    const { format, tag: tags = [], run: runs, attempts = "latest" } = body as ExportBody;
    if (format !== "csv") return needsServer();
    const list = await readTags(files);
    const head = `tag,run,step,wall_time,value${attempts === "all" ? ",attempt" : ""}\r\n`;
    const parts = [head];
    for (const tag of tags) {
      for (const run of runsWith(list, "scalars", tag).filter((name) => runs?.includes(name) ?? true)) {
        for (const line of linesOf(await series.points(tag, run), "step", attempts)) {
          const end = attempts === "all" ? `,${line.attempt}\r\n` : "\r\n";
          const { walls, values } = line;
          line.steps.forEach((step, row) =>
            parts.push(`${quoted(tag)},${quoted(run)},${step},${walls[row]},${values[row]}${end}`),
          );
        }
      }
    }
    return new Response(new Blob(parts), { headers: { "content-type": "text/csv" } });
  };

/** A spreadsheet runs text that begins like a formula: names may come from strangers. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]./s.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The scalar tags that match each pattern from their beginning. */
export async function matchTags({ files, body }: SiteRequest): Promise<Response> {
  const tags = ((await readTags(files)).kinds.scalars ?? []).map(({ tag }) => tag).sort();
  const { patterns } = body as { patterns: readonly string[] };
  const compiled = patterns.map((text) => compilePattern(`^(?:${text})`));
  if (compiled.some((pattern) => pattern.find("x".repeat(64)) === undefined)) await loadEngine();
  const matches = compiled.map((pattern, at) =>
    pattern.error || patterns[at] === ""
      ? { error: pattern.error || "the regular expression is empty" }
      : { tags: tags.filter((tag) => (pattern.find(tag) ?? null) !== null) },
  );
  return jsonResponse({ matches });
}
