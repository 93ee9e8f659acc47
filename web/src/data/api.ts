/** The server's answers, typed. Every address is relative, so the page works under any path prefix. */

import type { NumberColumn } from "./columns";
import { request, requestJson } from "./request";

export type Axis = "step" | "relative" | "wall";

export interface Run {
  readonly name: string;
  readonly path: string;
  readonly first_wall: number | null;
  readonly last_wall: number | null;
  readonly points: number;
  /** Its place in the order of first sight, which gives it its colour for good. */
  readonly position?: number;
  /** The run whose row it is part of, for folders of `add_scalars` and `add_hparams`. */
  readonly merged_into?: string;
  /** The key that `add_scalars` was given. */
  readonly curve?: string;
}

/** What people decided about a run. */
export interface RunNotes {
  readonly label?: string;
  readonly star?: boolean;
  readonly note?: string;
  /** Left out of the table until somebody asks for hidden runs. */
  readonly hidden?: boolean;
  /** A design token or "#rrggbb". */
  readonly colour?: string;
  /** In place of those the run came with. */
  readonly tags?: readonly string[];
  /** Done with: out of all tables until somebody asks for archived runs. */
  readonly archived?: boolean;
}

export interface StateDocument {
  readonly version: number;
  readonly runs: Readonly<Record<string, RunNotes>>;
  readonly pins: readonly unknown[];
  readonly views: Readonly<Record<string, unknown>>;
  /** What each dashboard keeps, under its name. */
  readonly dashboards: Readonly<Record<string, unknown>>;
}

/** Merged into the document; null removes. */
export interface StateChange {
  readonly runs?: Readonly<Record<string, { readonly [Field in keyof RunNotes]?: RunNotes[Field] | null }>>;
  readonly pins?: readonly unknown[];
  readonly views?: Readonly<Record<string, unknown>>;
  readonly dashboards?: Readonly<Record<string, unknown>>;
}

export interface Counts {
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly files_done: number;
  readonly files_total: number;
  readonly loading: boolean;
}

export interface Progress extends Counts {
  /** When the site was published, in seconds since 1970; a server has none. */
  readonly published?: number;
  /** Where events continue: what is requested after this response lacks only those that follow. A site has none. */
  readonly cursor?: string;
  readonly roots: readonly { readonly name: string; readonly path: string; readonly exists: boolean }[];
}

export interface TagEntry {
  readonly tag: string;
  readonly runs: readonly string[];
}

export interface DashboardInfo {
  readonly name: string;
  readonly title: string;
  readonly order: number;
  /** It has data when the server has one of these kinds; none is always. */
  readonly kinds: readonly string[];
  /** The address of a third party's view; null for those that are part of this page. */
  readonly module: string | null;
  /** Where the kinds alone do not tell, the address that does. */
  readonly has_data?: string;
  readonly error?: string;
}

export interface Problem {
  readonly severity: string;
  readonly run: string;
  readonly path: string;
  readonly offset: number | null;
  readonly message: string;
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
  if (text !== lastRuns.text) lastRuns = { text, runs: (JSON.parse(text) as { runs: Run[] }).runs };
  return lastRuns.runs;
}

export const fetchProgress = (): Promise<Progress> => requestJson("api/progress");

export async function fetchProblems(): Promise<Problem[]> {
  return (await requestJson<{ problems: Problem[] }>("api/problems")).problems;
}

let lastTags = { text: "", tags: new Map() as ReadonlyMap<string, readonly TagEntry[]> };

/** The tags of every kind, each with the runs that have it. The same answer gives the same lists, so that nothing is drawn anew. */
export async function fetchTags(): Promise<ReadonlyMap<string, readonly TagEntry[]>> {
  const text = await (await request("api/tags")).text();
  if (text !== lastTags.text) lastTags = { text, tags: readTags(text) };
  return lastTags.tags;
}

function readTags(text: string): ReadonlyMap<string, readonly TagEntry[]> {
  const said = JSON.parse(text) as { runs: string[]; kinds: Record<string, { tag: string; runs: number[] }[]> };
  return new Map(
    Object.entries(said.kinds).map(([kind, entries]) => [
      kind,
      entries.map(({ tag, runs }) => ({ tag, runs: runs.map((index) => said.runs[index]!) })),
    ]),
  );
}

/** The newest value of a tag in every run that logs it. */
export async function fetchLastValues(tag: string): Promise<ReadonlyMap<string, number>> {
  const { tags } = await requestJson<{ tags: { runs: string[]; values: (number | string)[] }[] }>(
    `api/last?tag=${encodeURIComponent(tag)}`,
  );
  const [table] = tags;
  // NaN and the infinities come as words.
  return new Map(table?.runs.map((run, index) => [run, Number(table.values[index])]) ?? []);
}

export async function fetchHasData(address: string): Promise<boolean> {
  return (await requestJson<{ has_data: boolean }>(address)).has_data;
}

export const fetchDashboards = (): Promise<DashboardInfo[]> => requestJson("api/dashboards");
