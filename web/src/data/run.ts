/** One run as the server tells it: what run.json remembers, what the event files tell, its files and its console. */

import { request, requestJson } from "./request";
import type * as Wire from "./wire_types";

export type { Alert as RunAlert, ConsoleLine, DiffMetric, DiffRow, Divergence, RunFile, RunRecord } from "./wire_types";
export type { Session as RunSession } from "./wire_types";
export type RunAnswer = Wire.RunResponse;
/** `matched` lines hold what is searched for, or all; `start` counts those. */
export type ConsoleLines = Omit<Wire.ConsoleResponse, "run" | "source" | "search">;
export type DiffState = Wire.DiffRow["state"];
export type DiffAnswer = Wire.DiffResponse;

export function fetchRun(run: string, signal?: AbortSignal): Promise<RunAnswer> {
  return requestJson(`api/run?${new URLSearchParams({ run })}`, { signal });
}

export interface ConsoleRequest {
  readonly run: string;
  readonly source: string;
  readonly search: string;
  /** A negative one counts from the end. */
  readonly start: number;
  readonly stop?: number;
}

export function fetchConsole(
  { run, source, search, start, stop }: ConsoleRequest,
  signal?: AbortSignal,
): Promise<ConsoleLines> {
  return requestJson(
    `api/run/console?${new URLSearchParams({
      run,
      source,
      start: String(start),
      ...(stop === undefined ? {} : { stop: String(stop) }),
      ...(search === "" ? {} : { search }),
    })}`,
    { signal },
  );
}

export const fileAddress = (run: string, path: string): string => `api/run/file?${new URLSearchParams({ run, path })}`;

export async function fetchFileText(run: string, path: string): Promise<string> {
  return (await request(fileAddress(run, path))).text();
}

export const fetchDiff = (runs: readonly string[]): Promise<DiffAnswer> => requestJson("api/diff", { body: { runs } });

/** Safe HTML of Markdown, for ui/RichText. */
export async function fetchMarkdown(text: string): Promise<string> {
  return (await requestJson<Wire.MarkdownResponse>("api/markdown", { body: { text } })).html;
}
