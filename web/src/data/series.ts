/** Windows of one tag of many runs: the request, the response, and a cache. */

import type { RequestedSmoothing, Smoothing } from "../base/smoothing";
import type { Axis, SeriesBlock } from "./api";
import { decodeBatch, type ColumnBlock } from "./columns";
import { requestBlock, requestBytes } from "./request";
import type { Loaded } from "./resource.svelte";

/** Of a restarted run: the points that count; every point, by attempt; or both, what the restart replaced marked. */
export type Attempts = "latest" | "all" | "marked";

/** Exports leave out what was replaced unless all is wanted. */
export const payloadAttempts = (attempts: Attempts): "latest" | "all" => (attempts === "all" ? "all" : "latest");

export interface SeriesRequest {
  readonly tag: string;
  /** Null: every run that has the tag. */
  readonly runs: readonly string[] | null;
  readonly axis: Axis;
  /** The part of the axis to read; null is all of it. */
  readonly range: { readonly from: number; readonly to: number } | null;
  /** Pixel columns; 0 is every point. */
  readonly width: number;
  readonly smoothing: RequestedSmoothing;
  readonly attempts: Attempts;
  /** Only these are sent. */
  readonly columns: readonly string[];
  /** Also the nearest points beyond the range; without them a sum over the range is exact. */
  readonly edges?: boolean;
  /** Values as float32: enough for pixels, and a third of the bytes. */
  readonly compact?: boolean;
  /** Of so few runs that the request costs more than the answer: it may be asked for together with others. */
  readonly isSmall?: boolean;
}

export async function fetchWindow(request: SeriesRequest, signal?: AbortSignal): Promise<SeriesBlock> {
  return blockOf(await requestBlock("api/series", { body: bodyOf(request), signal }));
}

/** In one request, in their order; an error for one that could not be read. */
export async function fetchBatch(
  requests: readonly SeriesRequest[],
  signal?: AbortSignal,
): Promise<(SeriesBlock | Error)[]> {
  const body = { requests: requests.map(bodyOf) };
  const answers = decodeBatch(await requestBytes("api/series/batch", { body, signal }));
  return answers.map((answer) => (answer instanceof Error ? answer : blockOf(answer)));
}

const blockOf = ({ header, columns, shared }: ColumnBlock): SeriesBlock => ({
  tag: header.tag as string,
  runs: header.runs as string[],
  columns,
  shared,
});

function bodyOf(request: SeriesRequest): object {
  const { tag, runs, axis, range, width, smoothing, attempts, columns } = request;
  return {
    tag,
    axis,
    width,
    smoothing: smoothing.weight,
    smoothing_mode: smoothing.mode,
    attempts,
    columns,
    ...(smoothing.visible ? { visible: smoothing.visible } : {}),
    ...(runs ? { run: runs } : {}),
    // With the neighbours beyond either end, so that lines enter and leave the plot.
    ...(range ? { start: range.from, stop: range.to, edges: request.edges ?? true } : {}),
    ...(request.compact ? { encoding: "compact" } : {}),
  };
}

/** Everything about a request but the runs: requests that differ in nothing else can share an answer. */
export function keyOf({ tag, axis, range, width, smoothing, attempts, columns, compact }: SeriesRequest): string {
  return JSON.stringify([tag, axis, range?.from, range?.to, width, smoothing, attempts, columns, compact]);
}

export type LoadedSeries = Loaded<SeriesRequest, SeriesBlock>;

/** The series of a request serve every request for some of its runs. */
export function covers({ request }: LoadedSeries, runs: readonly string[] | null): boolean {
  if (request.runs === null) return true;
  if (runs === null) return false;
  const has = new Set(request.runs);
  return runs.every((run) => has.has(run));
}

/** The series loaded last, up to so many bytes: a card that scrolls back into view is drawn at once. */
export class SeriesCache {
  readonly #cached = new Map<string, LoadedSeries & { readonly bytes: number }>();
  #bytes = 0;

  constructor(private readonly maxBytes = 48 << 20) {}

  /** Fresh: nothing was logged since, and no run is missing. */
  get(request: SeriesRequest, revision: number | string): LoadedSeries | undefined {
    const cached = this.#cached.get(keyOf(request));
    if (!cached || cached.revision !== revision || !covers(cached, request.runs)) return undefined;
    this.#cached.delete(keyOf(request));
    this.#cached.set(keyOf(request), cached);
    return cached;
  }

  put(loaded: LoadedSeries): void {
    const key = keyOf(loaded.request);
    this.#remove(key);
    const bytes = bytesOf(loaded.value);
    if (bytes > this.maxBytes / 2) return;
    this.#cached.set(key, { ...loaded, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
}

function bytesOf({ columns }: SeriesBlock): number {
  return Object.values(columns).reduce((sum, column) => sum + column.byteLength, 0);
}

/** A response holds at most about this many rows, so that a tag of thousands of runs stays a few megabytes. */
const MAX_ROWS = 400_000;
const MIN_WIDTH = 120;
/** Widths are rounded up, so that a panel that is dragged does not ask anew for every pixel. */
const WIDTH_STEP = 64;

export function widthFor(pixels: number, runs: number): number {
  const rounded = Math.ceil(pixels / WIDTH_STEP) * WIDTH_STEP;
  return Math.max(Math.min(MIN_WIDTH, rounded), Math.min(rounded, Math.floor(MAX_ROWS / Math.max(1, runs))));
}

/** Lines so many are drawn without envelopes and raw values behind them. */
export const MANY_RUNS = 60;

/** The weights of the moving averages of the runs that are smoothed. */
export const weightsOf = (block: SeriesBlock | undefined, isShown: (run: string) => boolean = () => true): number[] =>
  [...(block?.columns.weight ?? [])].filter((weight, index) => weight > 0 && isShown(block!.runs[index]!));

export function columnsFor({
  axis,
  smoothing,
  attempts,
  runs,
}: {
  axis: Axis;
  smoothing: Smoothing;
  attempts: Attempts;
  runs: number;
}): string[] {
  const few = runs <= MANY_RUNS;
  return [
    ...(few || axis === "step" ? ["step_last"] : []),
    ...(few || axis !== "step" ? ["wall_last"] : []),
    ...(few || smoothing.weight === 0 ? ["mean"] : []),
    ...(smoothing.weight > 0 ? ["smoothed", "weight"] : []),
    ...(few ? ["min", "max", "last", "nan", "posinf", "neginf"] : []),
    "count",
    ...(attempts === "latest" ? [] : ["attempt"]),
    ...(attempts === "marked" ? ["replaced"] : []),
  ];
}
