/** Windows of what a run printed. */

import { errorResponse, jsonResponse, type SiteRequest } from "../site_request";

const MAX_LINES = 5000;

interface StoredConsole {
  /** The number of the first stored line: of a very long console only the end is published. */
  readonly first: number;
  readonly lines: readonly string[];
}

export async function consoleLines({ files, parameters }: SiteRequest): Promise<Response> {
  const [run, source, search] = ["run", "source", "search"].map((name) => parameters.get(name) ?? "");
  const stored = await files.json<StoredConsole>(`console\0${run}\0${source}`);
  if (!stored) return errorResponse(`the run '${run}' has no published console '${source}'`, 404, "not_found");
  const all = stored.lines.map((text, at) => ({ number: stored.first + at, text, is_cut: false }));
  const needle = lowered(search!);
  const matching = search ? all.filter(({ text }) => lowered(text).includes(needle)) : all;
  // Lines that are not published still count, so that line numbers are right.
  const missing = search ? 0 : stored.first;
  const count = matching.length + missing;
  const bound = (name: string, missingBound: number): number => {
    const value = parameters.has(name) ? Number(parameters.get(name)) : missingBound;
    return Math.min(Math.max(value < 0 ? value + count : value, 0), count);
  };
  const start = Math.max(bound("start", search ? 0 : -200), missing);
  const stop = Math.min(bound("stop", count), start + MAX_LINES);
  return jsonResponse({
    run,
    source,
    search,
    total: stored.first + all.length,
    matched: count,
    start,
    lines: matching.slice(start - missing, Math.max(start, stop) - missing),
    bytes: 0,
    is_complete: true,
  });
}

/** As the server searches: only A to Z have two cases. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
