/** Which embedding is chosen, the method in the address, and positions by row. */

import type { ColumnEntry, CustomAxis, EmbeddingEntry, EmbeddingRef, Method, MethodName, Metric } from "./wire";

/** How the embeddings of dropped files start; they belong to no run. */
const UPLOAD = "upload:";

/** The values of a column with one for each placed row, as one for every row: NaN where there is none. */
export function byRow(values: Float32Array, rows: Uint32Array | undefined, total: number): Float32Array {
  if (!rows) return values;
  const out = new Float32Array(total).fill(NaN);
  for (let at = 0; at < rows.length; at += 1) out[rows[at]!] = values[at]!;
  return out;
}

export interface EmbeddingChoice {
  readonly run: string | undefined;
  readonly name: string | undefined;
  readonly focused: string | null;
  readonly shown: readonly string[];
}

/** The embedding that the address names, at any of its steps; or the first one of the run in focus, of the shown runs, of any run. */
export function chooseEmbedding(entries: readonly EmbeddingEntry[], choice: EmbeddingChoice): EmbeddingEntry | null {
  const { run, name, focused, shown } = choice;
  const isNamed = (entry: EmbeddingEntry): boolean =>
    entry.name === name || entry.steps.some((step) => step.name === name);
  if (name?.startsWith(UPLOAD)) return entries.find(isNamed) ?? { run: "", name, title: "Dropped file", steps: [] };
  if (run !== undefined) {
    const ofRun = entries.filter((entry) => entry.run === run);
    return ofRun.find(isNamed) ?? ofRun[0] ?? entries[0] ?? null;
  }
  const wanted = (focused === null ? shown : [focused, ...shown]).find((one) => entries.some((e) => e.run === one));
  return entries.find((entry) => entry.run === wanted) ?? entries[0] ?? null;
}

/** Whether the embedding is one of the entry's steps. */
export const isOf = (entry: EmbeddingEntry, { run, name }: EmbeddingRef): boolean =>
  entry.run === run && (entry.name === name || entry.steps.some((step) => step.name === name));

/** The first column that is not of numbers, which name no point; or the first one. */
export const defaultLabel = (columns: readonly ColumnEntry[]): string =>
  (columns.find(({ type }) => type !== "number") ?? columns[0])?.name ?? "";

export const DEFAULT_METHOD: Method = {
  method: "pca",
  dims: 2,
  components: [],
  axes: [],
  perplexity: 30,
  learning_rate: 0,
  neighbours: 15,
  min_distance: 0.1,
  metric: "euclidean",
  epochs: 0,
  supervise: 0,
  supervise_by: "",
  seed: 42,
  max_rows: 50_000,
  query: "",
};

const METHODS: readonly MethodName[] = ["pca", "tsne", "umap", "axes", "raw", "random"];
const METRICS: readonly Metric[] = ["cosine", "euclidean", "dot"];

/** The method in the address, which may be anything: what is not valid is as by default. */
export function methodOf(value: unknown): Method {
  if (typeof value !== "object" || value === null) return DEFAULT_METHOD;
  const given = value as Partial<Record<keyof Method, unknown>>;
  const fallback = DEFAULT_METHOD;
  const number = (
    name: "perplexity" | "learning_rate" | "neighbours" | "min_distance" | "epochs" | "supervise" | "seed" | "max_rows",
  ): number => (typeof given[name] === "number" && Number.isFinite(given[name]) ? given[name] : fallback[name]);
  return {
    method: METHODS.find((name) => name === given.method) ?? fallback.method,
    dims: given.dims === 3 ? 3 : 2,
    components: Array.isArray(given.components) ? given.components.filter((one) => Number.isInteger(one)) : [],
    axes: Array.isArray(given.axes) ? given.axes.filter(isAxis) : [],
    perplexity: number("perplexity"),
    learning_rate: number("learning_rate"),
    neighbours: number("neighbours"),
    min_distance: number("min_distance"),
    metric: METRICS.find((name) => name === given.metric) ?? fallback.metric,
    epochs: number("epochs"),
    supervise: number("supervise"),
    supervise_by: typeof given.supervise_by === "string" ? given.supervise_by : "",
    seed: number("seed"),
    max_rows: number("max_rows"),
    query: typeof given.query === "string" ? given.query : "",
  };
}

/** Components of one method, or of two dimensions, mean nothing in others. */
export function changeMethod(method: Method, change: Partial<Method>): Method {
  const next = { ...method, ...change };
  const isOther = next.method !== method.method || next.dims !== method.dims;
  return isOther && !change.components ? { ...next, components: [] } : next;
}

/** Only what differs from the default, for a short address; undefined if nothing does. */
export function methodText(method: Method): string | undefined {
  const changed = Object.entries(method).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULT_METHOD[name as keyof Method]),
  );
  return changed.length > 0 ? JSON.stringify(Object.fromEntries(changed)) : undefined;
}

function isAxis(value: unknown): value is CustomAxis {
  const isEnd = (end: unknown): boolean =>
    typeof end === "object" && end !== null && typeof (end as { text?: unknown }).text === "string";
  return (
    typeof value === "object" &&
    value !== null &&
    isEnd((value as CustomAxis).start) &&
    isEnd((value as CustomAxis).end)
  );
}

/** Whether each row is in the list. */
export function maskOf(rows: ArrayLike<number>, total: number): Uint8Array {
  const mask = new Uint8Array(total);
  for (let at = 0; at < rows.length; at += 1) if (rows[at]! < total) mask[rows[at]!] = 1;
  return mask;
}
