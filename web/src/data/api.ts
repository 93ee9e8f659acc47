/** The server's answers, typed. Every address is relative, so the page works under any path prefix. */

import { decodeColumns, type Column } from "./columns";

export type Axis = "step" | "relative" | "wall";

export interface Run {
  readonly name: string;
  readonly first_wall: number | null;
  readonly last_wall: number | null;
  readonly points: number;
}

export interface Counts {
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly files_done: number;
  readonly files_total: number;
  readonly loading: boolean;
}

export interface Progress extends Counts {
  readonly roots: readonly { readonly name: string; readonly path: string; readonly exists: boolean }[];
}

export interface TagEntry {
  readonly tag: string;
  readonly runs: readonly string[];
}

export interface Problem {
  readonly severity: string;
  readonly run: string;
  readonly path: string;
  readonly offset: number | null;
  readonly message: string;
}

/** One tag of many runs: rows of run i lie in [offsets[i], offsets[i + 1]). */
export interface SeriesBlock {
  readonly tag: string;
  readonly runs: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
}

export interface SeriesRequest {
  readonly tag: string;
  readonly axis: Axis;
  readonly width: number;
  readonly smoothing: number;
}

async function answer(address: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    throw new Error("the server does not answer; is it still running?");
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => null) as { error?: string } | null;
  throw new Error(said?.error ?? `the server answered ${response.status} ${response.statusText}`);
}

export async function fetchRuns(): Promise<Run[]> {
  return ((await (await answer("api/runs")).json()) as { runs: Run[] }).runs;
}

export async function fetchProgress(): Promise<Progress> {
  return (await (await answer("api/progress")).json()) as Progress;
}

export async function fetchProblems(): Promise<Problem[]> {
  return ((await (await answer("api/problems")).json()) as { problems: Problem[] }).problems;
}

/** The scalar tags, each with the runs that log it. */
export async function fetchScalarTags(): Promise<TagEntry[]> {
  const said = (await (await answer("api/tags?kind=scalars")).json()) as {
    runs: string[];
    kinds: Record<string, { tag: string; runs: number[] }[]>;
  };
  return (said.kinds.scalars ?? []).map(({ tag, runs }) => ({ tag, runs: runs.map((index) => said.runs[index]!) }));
}

const COLUMNS = ["step_last", "wall_last", "min", "max", "mean", "count", "nan", "posinf", "neginf", "smoothed"];

export async function fetchSeries(request: SeriesRequest, signal?: AbortSignal): Promise<SeriesBlock> {
  const response = await answer("api/series", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, columns: COLUMNS }),
    ...(signal ? { signal } : {}),
  });
  const { header, columns } = decodeColumns(await response.arrayBuffer());
  return { tag: header.tag as string, runs: header.runs as string[], columns };
}
