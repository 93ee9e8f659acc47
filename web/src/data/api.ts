/** The server's answers, typed. Every address is relative, so the page works under any path prefix. */

import type { NumberColumn } from "./columns";
import { request, requestJson } from "./request";
import type * as Wire from "./wire_types";

export type Axis = "step" | "relative" | "wall";
export type Run = Wire.Run;
/** What people saved of a run. */
export type RunNotes = Wire.RunState;
export type StateDocument = Wire.StateResponse;
/** Merged into the document; null removes. */
export type StateChange = Omit<Wire.StateChange, "version">;
/** The address of `module` is that of a third party's view; null for those that are part of this page. */
export type DashboardInfo = Wire.ListedDashboard;
export type Problem = Wire.ListedProblem;
export type Counts = Omit<Wire.ProgressResponse, "roots" | "cursor">;

export interface Progress extends Counts {
  readonly roots: Wire.ProgressResponse["roots"];
  /** When the site was published, in seconds since 1970; a server has none. */
  readonly published?: number;
  /** Where events continue: what is requested after this response lacks only those that follow. A site has none. */
  readonly cursor?: string;
}

export interface TagEntry {
  readonly tag: string;
  readonly runs: readonly string[];
}

/** One tag of many runs: rows of run i lie in [offsets[i], offsets[i + 1]) of every column that is not shared. */
export interface SeriesBlock {
  readonly tag: string;
  readonly runs: readonly string[];
  readonly columns: Readonly<Record<string, NumberColumn>>;
  /** See ColumnBlock; rowColumn() reads any column row by row. */
  readonly shared?: ReadonlySet<string>;
}

export interface ExportRequest {
  readonly format: "csv" | "parquet";
  readonly tags: readonly string[];
  readonly runs: readonly string[];
  readonly attempts: "latest" | "all";
}

/** Every point of many tags and runs as one file. The browser keeps it, on disk when it is large; `onbytes` hears how far it is. */
export async function fetchExport(
  { format, tags, runs, attempts }: ExportRequest,
  onbytes: (bytes: number) => void,
): Promise<Blob> {
  const response = await request("api/export", { body: { format, tag: tags, run: runs, attempts } });
  let bytes = 0;
  const counted = response.body!.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, controller) => {
        onbytes((bytes += part.byteLength));
        controller.enqueue(part);
      },
    }),
  );
  return new Response(counted, { headers: { "content-type": response.headers.get("content-type") ?? "" } }).blob();
}

let lastRuns = { text: "", runs: [] as readonly Run[] };

/** The same answer gives the same list, so that nothing is drawn anew. */
export async function fetchRuns(): Promise<readonly Run[]> {
  const text = await (await request("api/runs")).text();
  if (text !== lastRuns.text) lastRuns = { text, runs: (JSON.parse(text) as Wire.RunsResponse).runs };
  return lastRuns.runs;
}

export const fetchProgress = (): Promise<Progress> => requestJson("api/progress");

export async function fetchProblems(): Promise<readonly Problem[]> {
  return (await requestJson<Wire.ProblemsResponse>("api/problems")).problems;
}

let lastTags = { text: "", tags: new Map() as ReadonlyMap<string, readonly TagEntry[]> };

/** The tags of every kind, each with the runs that have it. The same answer gives the same lists, so that nothing is drawn anew. */
export async function fetchTags(): Promise<ReadonlyMap<string, readonly TagEntry[]>> {
  const text = await (await request("api/tags")).text();
  if (text !== lastTags.text) lastTags = { text, tags: readTags(text) };
  return lastTags.tags;
}

function readTags(text: string): ReadonlyMap<string, readonly TagEntry[]> {
  const response = JSON.parse(text) as Wire.TagsResponse;
  return new Map(
    Object.entries(response.kinds).map(([kind, entries]) => [
      kind,
      entries.map(({ tag, runs }) => ({ tag, runs: runs.map((index) => response.runs[index]!) })),
    ]),
  );
}

/** The newest value of a tag in every run that logs it. */
export async function fetchLastValues(tag: string): Promise<ReadonlyMap<string, number>> {
  const { tags } = await requestJson<Wire.LastResponse>(`api/last?tag=${encodeURIComponent(tag)}`);
  const [table] = tags;
  // NaN and the infinities come as words.
  return new Map(table?.runs.map((run, index) => [run, Number(table.values[index])]) ?? []);
}

export async function fetchHasData(address: string): Promise<boolean> {
  return (await requestJson<Wire.HasDataResponse>(address)).has_data;
}

export const fetchDashboards = (): Promise<readonly DashboardInfo[]> => requestJson("api/dashboards");
