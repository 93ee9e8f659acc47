/** WhatIfModel: the set, the models, the slice, the thresholds and the selected row. All parts of the page read it. */

import { createContext } from "svelte";
import { Resource, type DashboardContext } from "$public/core";
import { schemaOf } from "./data/schema";
import { PerformanceModel } from "./performance/performance_model.svelte";
import { WhatIfRequests, type ColumnValues } from "./requests";
import { ColumnCache } from "./state/column_cache.svelte";
import { conditionsOfText, matchesCondition, textOfConditions } from "./state/conditions";
import type { ExploreMark } from "./state/marks";
import { PredictionWait } from "./state/prediction_wait";
import { rowThresholds, type ThresholdSlice } from "./state/thresholds";
import type {
  ColumnEntry,
  ColumnParameters,
  Condition,
  FilterBody,
  InfoResponse,
  ModelEntry,
  RowFilter,
  Schema,
  SetEntry,
  SetParameters,
  SetsResponse,
} from "./wire";

const DEFAULT_THRESHOLD = 0.5;
const PROGRESS_MS = 400;
/** Parameters in the address that mean nothing for another set. */
const OF_ONE_SET = [
  ...["step", "model", "model_b", "q", "where", "t", "ts", "strategy"],
  ...["row", "edits", "copies", "copy", "distance", "feature"],
  ...["x", "y", "colour", "size", "facet", "brush", "sort"],
  ...["slice_by", "class", "pd_x", "pd_y", "pd_class", "at_class", "compare"],
];

const isPredicting = ({ progress, error }: ModelEntry): boolean => progress < 1 && error === "";

export class WhatIfModel {
  readonly requests: WhatIfRequests;
  readonly columns: ColumnCache;
  readonly performance: PerformanceModel;
  readonly #list: Resource<null, SetsResponse>;
  readonly #info: Resource<SetParameters, InfoResponse>;
  readonly #matching: Resource<FilterBody, Uint32Array>;

  constructor(readonly context: DashboardContext) {
    const wait = new PredictionWait(
      (models) => this.#isPredicting(models),
      () => this.#info.retry(),
    );
    this.requests = new WhatIfRequests(context, wait);
    this.columns = new ColumnCache((parameters) => this.requests.column(parameters));
    this.#list = new Resource((_, signal) => this.requests.sets(signal), { pauseMs: 1000 });
    this.#info = new Resource((set, signal) => this.requests.info(set, signal), { pauseMs: PROGRESS_MS });
    this.#matching = new Resource((body, signal) => this.#findMatching(body, signal));
    this.performance = new PerformanceModel(this);
    $effect(() => {
      this.#list.load(null, `${context.catalogue.runs.length} ${context.catalogue.changedAt}`);
    });
    $effect(() => {
      if (this.set) this.#info.load(this.set);
    });
    $effect(() => {
      wait.update();
      // A model is predicting all rows: its progress is read until it ends.
      if (!this.info?.models.some(isPredicting)) return;
      const timer = setTimeout(() => this.#info.retry(), PROGRESS_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      if (this.set && this.hasFilter) this.#matching.load(this.filterBody(this.set));
    });
  }

  // Sets

  readonly sets = $derived.by((): readonly SetEntry[] => this.#list.value?.sets ?? []);
  readonly isListed = $derived.by(() => this.#list.value !== null || this.#list.error !== "");
  readonly listError = $derived.by(() => this.#list.error);

  /** The set in the address, or else the first one: of the run in the address, if there is one. */
  readonly entry = $derived.by((): SetEntry | null => {
    const name = this.context.url.get("name");
    const ofRun = this.sets.filter(({ run }) => run === this.context.url.get("run"));
    return ofRun.find((set) => set.name === name) ?? ofRun[0] ?? this.sets[0] ?? null;
  });
  readonly set = $derived.by((): SetParameters | null => {
    if (!this.entry) return null;
    const step = this.context.url.get("step");
    return { run: this.entry.run, name: this.entry.name, step: step === undefined ? -1 : Number(step) };
  });
  /** Null until that of this set is there: the columns of another one mean nothing here. */
  readonly info = $derived.by((): InfoResponse | null => this.#ofSet(this.#info.loaded));
  readonly infoError = $derived.by(() => this.#info.error);

  /** A value that was requested for this set, at any step. */
  #ofSet<Value>(loaded: { readonly request: SetParameters; readonly value: Value } | null): Value | null {
    const isSame = loaded?.request.run === this.set?.run && loaded?.request.name === this.set?.name;
    return loaded && isSame ? loaded.value : null;
  }

  showSet(entry: SetEntry): void {
    this.#show(entry.run, entry.name);
  }

  #show(run: string, name: string): void {
    this.context.url.set("name", name, { push: true });
    this.context.url.set("run", run);
    for (const parameter of OF_ONE_SET) this.context.url.set(parameter, undefined);
    this.#editsOfRow.clear();
  }

  /** After a change of the schema: everything that was computed from the set is requested again. */
  reload(): void {
    this.columns.clear();
    this.#info.retry();
    this.#matching.retry();
  }

  /** The schema as it is now; null until the set is there. */
  readonly schema = $derived.by((): Schema | null => this.info && schemaOf(this.info));

  /** Saves corrections beside the data, and requests everything again; null removes them. */
  async saveSchema(schema: Schema | null): Promise<void> {
    if (!this.set) return;
    await this.requests.saveSchema({ ...this.set, schema });
    this.reload();
  }

  columnEntry(name: string): ColumnEntry | null {
    return this.info?.columns.find((column) => column.name === name) ?? null;
  }

  /** One column for every row, or null until it has arrived. Computed columns are those of `modelName`. */
  column(name: string, modelName = this.modelName): ColumnValues | null {
    const parameters = this.#columnParameters(name, modelName);
    return parameters && this.columns.get(parameters);
  }

  /** Why there is no such column. */
  columnError(name: string): string {
    const parameters = this.#columnParameters(name, this.modelName);
    return parameters ? this.columns.errorOf(parameters) : "";
  }

  #columnParameters(column: string, model: string): ColumnParameters | null {
    if (!this.set) return null;
    const hasThreshold = this.info?.task === "binary" && ["=predicted", "=correct", "=error"].includes(column);
    return {
      ...this.set,
      column,
      ...(column.startsWith("=") && { model }),
      ...(column === "=difference" && { model2: this.modelNameB }),
      ...(hasThreshold && { threshold: this.threshold }),
      ...(column === "=distance" && { row: this.row ?? 0 }),
    };
  }

  // Models

  readonly modelName = $derived.by(() => this.context.url.get("model") ?? this.info?.models[0]?.name ?? "");
  readonly modelNameB = $derived.by(() => this.context.url.get("model_b") ?? "");
  /** Whether one of these models is still predicting all rows. */
  #isPredicting(names: readonly string[]): boolean {
    const models = this.info?.models ?? [];
    return names
      .map((name) => models.find((model) => model.name === name) ?? models[0])
      .some((model) => model && isPredicting(model));
  }

  readonly model = $derived.by((): ModelEntry | null => this.#modelNamed(this.modelName));
  readonly modelB = $derived.by((): ModelEntry | null => this.#modelNamed(this.modelNameB));

  #modelNamed(name: string): ModelEntry | null {
    return this.info?.models.find((model) => model.name === name) ?? null;
  }

  /** Empty: the first one, or no second model. */
  setModel(which: "model" | "model_b", name: string): void {
    this.context.url.set(
      which,
      name === "" || (which === "model" && name === this.info?.models[0]?.name) ? undefined : name,
      { push: true },
    );
  }

  showStep(step: number | null): void {
    this.context.url.set("step", step === null ? undefined : String(step), { push: true });
  }

  // Files

  async upload(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const { run, name } = await this.requests.upload(file);
      this.#list.retry();
      this.#show(run, name);
    }
  }

  // Slice

  readonly query = $derived.by(() => this.context.url.get("q") ?? "");
  readonly conditions = $derived.by((): readonly Condition[] => conditionsOfText(this.context.url.get("where")));
  readonly filter = $derived.by((): RowFilter => ({ query: this.query, conditions: this.conditions }));
  readonly hasFilter = $derived.by(() => this.query !== "" || this.conditions.length > 0);
  readonly filterFailure = $derived.by((): Error | null => (this.hasFilter ? this.#matching.failure : null));
  readonly filterError = $derived.by(() => this.filterFailure?.message ?? "");
  /** The rows of the slice in ascending order; null: all rows. */
  readonly rows = $derived.by((): Uint32Array | null => (this.hasFilter ? this.#ofSet(this.#matching.loaded) : null));
  readonly rowCount = $derived.by(() => this.rows?.length ?? this.info?.rows ?? 0);

  filterBody(set: SetParameters): FilterBody {
    return { ...set, filter: this.filter, model: this.modelName, threshold: this.threshold };
  }

  /** In a published site conditions are tested here; a query needs a server there. */
  async #findMatching(body: FilterBody, signal: AbortSignal): Promise<Uint32Array> {
    const { query = "", conditions = [] } = body.filter ?? {};
    if (this.context.hasServer || query !== "") return this.requests.matching(body, signal);
    const tests = await Promise.all(
      conditions.map(async (condition) => {
        const parameters = this.#columnParameters(condition.column, this.modelName)!;
        return matchesCondition(await this.requests.column(parameters, signal), condition);
      }),
    );
    const rows = Uint32Array.from({ length: this.info?.rows ?? 0 }, (_, row) => row);
    return rows.filter((row) => tests.every((matches) => matches(row)));
  }

  setQuery(query: string): void {
    this.context.url.set("q", query === "" ? undefined : query, { push: true });
  }

  setConditions(conditions: readonly Condition[]): void {
    this.context.url.set("where", textOfConditions(conditions), { push: true });
  }

  // Thresholds: one for all rows, or one for each slice of the performance tab

  readonly threshold = $derived.by(() => Number(this.context.url.get("t") ?? DEFAULT_THRESHOLD));

  /** The slices of the performance tab with a threshold of their own; empty: `threshold` is in force for all rows. */
  readonly thresholdSlices = $derived.by((): readonly ThresholdSlice[] => this.performance.slicesInForce);
  /** The threshold of each row; null while one holds for all, and until the columns of the slices are there. */
  readonly rowThresholds = $derived.by((): Float32Array | null =>
    this.thresholdSlices.length === 0
      ? null
      : rowThresholds(this.info?.rows ?? 0, this.thresholdSlices, this.threshold, (name) => this.column(name)),
  );

  thresholdOf(row: number): number {
    return this.rowThresholds?.[row] ?? this.threshold;
  }

  setThreshold(threshold: number): void {
    this.context.url.set("t", threshold === DEFAULT_THRESHOLD ? undefined : String(threshold));
  }

  // Lower tabs

  readonly lowerTab = $derived.by(() => this.context.url.get("tab") ?? "");

  /** The name of a tab; undefined: the first one. */
  showLowerTab(name: string | undefined): void {
    this.context.url.set("tab", name, { push: true });
  }

  // What Explore shows beside the rows

  /** Filled by the editor; Explore draws them. */
  marks = $state.raw<readonly ExploreMark[]>([]);
  /** The rows in the box or lasso of Explore, in ascending order; null: nothing is selected. */
  selectedRows = $state.raw<Uint32Array | null>(null);

  // Keys of the parts, while the picture or the table of Explore has the focus

  readonly #keys = new Map<string, () => void>();

  /** Such as "c", "enter" or "ctrl+z". Returns a function that removes the key. */
  addKey(name: string, run: () => void): () => void {
    this.#keys.set(name, run);
    return () => void (this.#keys.get(name) === run && this.#keys.delete(name));
  }

  /** Whether a part took it. */
  pressKey(name: string): boolean {
    const run = this.#keys.get(name);
    run?.();
    return run !== undefined;
  }

  // The selected row

  readonly row = $derived.by((): number | null => {
    const row = Number(this.context.url.get("row") ?? NaN);
    return Number.isInteger(row) && row >= 0 ? row : null;
  });

  /** The edits of rows that were selected before, as the address had them. */
  readonly #editsOfRow = new Map<number, string>();

  /** The edits of a row stay its own: they are back when it is selected again. */
  selectRow(row: number | null): void {
    const { url } = this.context;
    if (row === this.row) return;
    const edits = url.get("edits");
    // A duplicate keeps its edits itself.
    if (this.row !== null && url.get("copy") === undefined) {
      if (edits === undefined) this.#editsOfRow.delete(this.row);
      else this.#editsOfRow.set(this.row, edits);
    }
    url.set("row", row === null ? undefined : String(row));
    url.set("copy", undefined);
    url.set("edits", row === null ? undefined : this.#editsOfRow.get(row));
  }
}

export const [getWhatIfModel, setWhatIfModel] = createContext<WhatIfModel>();
