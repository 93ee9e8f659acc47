/** One run as the server tells it: what run.json remembers, what the event files tell, its files and its console. */

import { request, requestJson } from "./request";

export interface RunSession {
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly status: string;
  readonly from_step: number;
  readonly host: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly git_commit: string;
}

export interface RunAlert {
  readonly at: number;
  readonly title: string;
  readonly text: string;
  readonly level: string;
  readonly step: number | null;
}

/** run.json, without what has a place of its own below; see docs/run-json.md. */
export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly group: string;
  readonly job_type: string;
  readonly tags: readonly string[];
  readonly notes: string;
  readonly status: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly signal: string;
  readonly error: { readonly type: string; readonly message: string; readonly traceback: string } | null;
  readonly last_step: number | null;
  readonly metrics: readonly { readonly name: string; readonly goal: string; readonly hidden: boolean }[];
  readonly command: readonly string[];
  readonly working_dir: string;
  readonly python: { readonly version: string; readonly implementation: string; readonly executable: string };
  readonly packages: Readonly<Record<string, string>>;
  readonly host: {
    readonly name: string;
    readonly os: string;
    readonly cpu: string;
    readonly cpu_count: number;
    readonly memory_bytes: number;
  };
  readonly gpus: readonly { readonly name: string; readonly memory_bytes: number; readonly driver: string }[];
  readonly environment: Readonly<Record<string, string>>;
  readonly git: {
    readonly commit: string;
    readonly branch: string;
    readonly remote: string;
    readonly dirty: boolean;
    readonly diff_file: string;
    readonly diff_bytes: number;
    readonly diff_truncated: boolean;
  } | null;
}

export interface RunFile {
  /** Inside the run's folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
  readonly kind: string;
}

export interface RunAnswer {
  readonly name: string;
  readonly path: string;
  readonly status: string;
  readonly started: number | null;
  readonly ended: number | null;
  readonly duration: number | null;
  readonly last_wall: number | null;
  readonly last_step: number | null;
  readonly record: RunRecord | null;
  readonly config: Readonly<Record<string, unknown>>;
  /** The config with its keys joined by dots, and what other files say of the run's parameters. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly summary: Readonly<Record<string, unknown>>;
  /** Of metrics of which it is told whether less or more is better. */
  readonly goals: Readonly<Record<string, "min" | "max">>;
  readonly sessions: readonly RunSession[];
  readonly alerts: readonly RunAlert[];
  /** What was not committed. */
  readonly git_diff: string | null;
  readonly files: readonly RunFile[];
  readonly console: readonly { readonly source: string; readonly bytes: number }[];
  readonly events: {
    readonly files: number;
    readonly bytes: number;
    readonly points: number;
    readonly payloads: number;
  };
  /** Runs that are part of this row. */
  readonly merged_runs: readonly string[];
  /** The run and tag that hold the metrics of merged runs, by their name in this run: `loss/train` of add_scalars is `loss` of another run. */
  readonly series_sources: Readonly<Record<string, { readonly run: string; readonly tag: string }>>;
  /** What is not known of this run, and why, as a sentence; "" when nothing is missing. */
  readonly missing: string;
  readonly problems: readonly string[];
}

export function fetchRun(run: string, signal?: AbortSignal): Promise<RunAnswer> {
  return requestJson(`api/run?${new URLSearchParams({ run })}`, { signal });
}

export interface ConsoleLine {
  /** From 0, in the whole file. */
  readonly number: number;
  readonly text: string;
  readonly is_cut: boolean;
}

/** `matched` lines hold what is searched for, or all; `start` counts those. */
export interface ConsoleLines {
  readonly total: number;
  readonly matched: number;
  readonly start: number;
  readonly lines: readonly ConsoleLine[];
  readonly bytes: number;
  readonly is_complete: boolean;
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

export type DiffState = "same" | "changed" | "added" | "removed";

/** One thing of every run; `state` is how the others stand to the first. */
export interface DiffRow {
  readonly key: string;
  readonly values: readonly (string | number | boolean | null)[];
  readonly state: DiffState;
}

/** Where a run's curve diverges from that of the first run. */
export interface Divergence {
  readonly run: string;
  readonly step: number;
  readonly level: number | null;
  readonly rule: string;
}

/** Lists are as long as there are runs. NaN and the infinities are words. */
export interface DiffMetric {
  readonly tag: string;
  readonly goal: "min" | "max";
  /** Of a learning rate nobody says that more or less is better. */
  readonly is_result: boolean;
  readonly final: readonly (number | string | null)[];
  readonly final_step: readonly (number | null)[];
  readonly best: readonly (number | string | null)[];
  readonly best_step: readonly (number | null)[];
  readonly divergence: Divergence | null;
  readonly divergences: readonly (Divergence | null)[];
  /** Why there is no divergence. */
  readonly note: string;
}

export interface DiffAnswer {
  readonly runs: readonly string[];
  readonly sections: readonly { readonly name: string; readonly rows: readonly DiffRow[] }[];
  readonly metrics: readonly DiffMetric[];
  readonly tags_left_out: number;
  readonly git_diffs: readonly (string | null)[];
  readonly problems: readonly string[];
}

export const fetchDiff = (runs: readonly string[]): Promise<DiffAnswer> => requestJson("api/diff", { body: { runs } });

/** Safe HTML of Markdown, for ui/RichText. */
export async function fetchMarkdown(text: string): Promise<string> {
  return (await requestJson<{ html: string }>("api/markdown", { body: { text } })).html;
}
