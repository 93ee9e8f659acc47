/** The trials behind every view of this page, as the server selects, groups and orders them; and what is brushed. */

import { format, Resource, type DashboardContext } from "$public/core";
import {
  columnIds,
  runsTable,
  TableSource,
  type Cell,
  type ColumnInfo,
  type ColumnList,
  type ColumnType,
  type Goal,
  type GridColumn,
  type Importance,
  type ObjectiveChoice,
  type TrialColumns,
  type TrialSelection,
  type TrialsRequest,
} from "$public/tables";
import { axisOf, type ParallelAxis } from "../axes/axes";
import { countOf, insideOf, type Brush } from "../axes/brush";
import { candidates } from "./default_columns";
import { isNumeric, MISSING, type TrialColumn } from "../columns/columns";
import { goodnessOf, type Goodness } from "../columns/goodness";
import { bestRow } from "./inside";
import { knownGoal, NO_CHOICE, onlyResults, withoutResult } from "./objective";
import { EVERY, Settings } from "./settings.svelte";
import { NO_TRIALS, trialsOf, type Trial, type Trials } from "./trials";
import { valueWords } from "../axes/words";

/** New trials may arrive many times a second; this often their columns are loaded again. */
const PAUSE_MS = 1000;
const QUICK_MS = 100;
/** What takes long is loaded less often: loading never takes more than a third of the time. */
const pauseAfter = (tookMs: number): number => (tookMs > QUICK_MS ? tookMs * 2 : 0);
/** Trials are distinguished by so many parameters at most. */
const MAX_GROUP_COLUMNS = 400;
const MAX_BEST_COLUMNS = 8;
const STATUS = "run:status";
const ALWAYS = [STATUS, "run:duration"];
/** Columns of grouped runs that go with a column of numbers. */
const STD = "std:";
const LEFT_OUT = "left_out:";

interface ColumnsRequest extends TrialSelection {
  readonly columns: readonly string[];
}

interface ImportanceRequest extends TrialSelection {
  readonly target: string;
  readonly goal: "min" | "max";
}

export class TrialsStore {
  readonly settings: Settings;
  /** The row under the pointer, in whichever view it is. */
  pointed = $state<string | null>(null);

  readonly #columns: Resource<null, ColumnList> = new Resource(
    async () => {
      const list = await runsTable.columns();
      // The same version leaves everything as it is: nothing is loaded or drawn again.
      const before = this.#columns.value;
      return list.version === before?.version ? before : list;
    },
    { pauseMs: (tookMs) => PAUSE_MS + pauseAfter(tookMs) },
  );
  /** An error in the query is shown with the table. */
  readonly #objective: Resource<string, ObjectiveChoice> = new Resource(
    (query) => runsTable.objective(query === "" ? {} : { query }).catch(() => this.#objective.value ?? NO_CHOICE),
    { pauseMs: pauseAfter },
  );
  /** Of all trials, for the pictures. */
  readonly #values = new Resource<ColumnsRequest, TrialColumns>(runsTable.trialColumns, { pauseMs: pauseAfter });
  /** The same without the filters, while somebody chooses them. */
  readonly #unfiltered = new Resource<ColumnsRequest, TrialColumns>(runsTable.trialColumns, { pauseMs: pauseAfter });
  /** The rows of the table, as they become visible. */
  readonly table = new TableSource(runsTable.trials);
  /** Other runs are newer data for the same request: a filter that is dragged does not start it again and again. */
  readonly #importance = new Resource<ImportanceRequest, Importance>((request) => runsTable.importance(request), {
    pauseMs: PAUSE_MS,
    keyOf: ({ target, goal }) => `${goal} ${target}`,
  });
  #columnsRevision = 0;
  #order: { readonly key: string; readonly keys: Promise<readonly string[]> } | null = null;

  constructor(readonly context: DashboardContext) {
    this.settings = new Settings(context, () => ({
      runs: this.#list?.runs ?? 0,
      columns: this.infos,
      choice: this.#choice ?? NO_CHOICE,
      isBlank: (id) => this.#blank.has(id),
    }));
  }

  readonly #list = $derived.by((): ColumnList | null => this.#columns.value);
  readonly #choice = $derived.by((): ObjectiveChoice | null => this.#objective.value);
  readonly error = $derived.by(() => this.#values.failure ?? this.table.error ?? this.#columns.failure);
  readonly #importanceRequest = $derived.by((): ImportanceRequest | null => {
    const { objective } = this.settings;
    if (!objective || this.trials.rows.length === 0) return null;
    return { target: objective.id, goal: objective.goal, ...this.#selection };
  });
  readonly importance = $derived.by(() => (this.#importanceRequest ? this.#importance.value : null));
  readonly infos = $derived.by(
    (): ReadonlyMap<string, ColumnInfo> => new Map(this.#list?.columns.map((info) => [info.id, info])),
  );
  readonly isRead = $derived.by(() => this.#list !== null && (this.#values.value !== null || this.error !== null));
  /** What is shown belongs to what is asked, not to the request before it. */
  readonly isCurrent = $derived.by(() => this.isRead && this.#values.valueFor(this.#columnsRequest) !== null);
  readonly params = $derived.by(() => this.#list?.columns.filter(({ source }) => source === "param") ?? []);
  readonly problems = $derived.by(() => this.#list?.problems ?? []);
  /** How many trials there are without the query and the filters. */
  readonly total = $derived.by(() => this.#values.value?.total ?? this.#list?.runs ?? 0);
  /** Where trials were written in parts: their names, the one that usually stands for a trial first. */
  readonly parts = $derived.by(() => this.#list?.parts ?? []);
  readonly part = $derived.by(() => this.settings.part ?? this.defaultPart);
  /** The part that measured the objective, else what a trial was not trained on. */
  readonly defaultPart = $derived.by(
    () => this.parts.find((part) => part === this.#choice?.objective?.part) ?? this.parts[0] ?? EVERY,
  );
  readonly queryError = $derived.by(() => (this.error instanceof runsTable.QueryError ? this.error : null));

  /** Runs that lie in the folder of another and belong to its row. */
  readonly #children = $derived.by(() => {
    const children = new Map<string, string[]>();
    for (const [child, parent] of Object.entries(this.#list?.merged_into ?? {}))
      children.set(parent, [...(children.get(parent) ?? []), child]);
    return children;
  });

  /** What the panel of the best trial lists. */
  readonly bestColumns = $derived.by((): readonly string[] => {
    const { objective, columns } = this.settings;
    const params = columns.filter((id) => id.startsWith("param:"));
    return [...(objective ? [objective.id] : []), ...params].slice(0, MAX_BEST_COLUMNS);
  });

  /** The parameters whose values make a trial of several runs. */
  readonly #groupBy = $derived.by(() => {
    const { isAveraged, seeds } = this.settings;
    if (!isAveraged || !this.#list) return [];
    const { runs } = this.#list;
    return this.params
      .filter((info) => runsTable.varies(info, runs) && !seeds.has(info.id))
      .slice(0, MAX_GROUP_COLUMNS)
      .map(({ id }) => id);
  });

  /** Which trials are asked for. */
  readonly #selection = $derived.by((): TrialSelection => {
    const { query } = this.context.runs;
    const where = [...this.settings.where].filter(([id]) => this.#isKnown(id));
    return {
      ...(query === "" ? {} : { query }),
      ...(this.part === EVERY ? {} : { part: this.part }),
      ...(this.settings.isAveraged ? { group_by: this.#groupBy } : {}),
      ...(where.length === 0 ? {} : { where: Object.fromEntries(where) }),
    };
  });

  /** Columns that are nowhere filled in what the query leaves; without a query every column is somewhere. */
  readonly #blank = $derived.by((): ReadonlySet<string> => {
    if (this.context.runs.query === "" || this.trials.rows.length === 0) return new Set();
    const columns = [...this.trials.columns.values()];
    return new Set(columns.filter(({ states }) => states.every((state) => state === MISSING)).map(({ id }) => id));
  });

  /** What the pictures draw, what the table colours, what is brushed and filtered, and what the panels name. */
  readonly #wanted = $derived.by((): readonly string[] => {
    const { columns, axes, objective, colour, where, brush } = this.settings;
    const ids = [
      ...axes,
      ...columns.filter((id) => id.startsWith("metric:")),
      ...this.bestColumns,
      ...(objective ? [objective.id] : []),
      ...(colour ? [colour] : []),
      ...where.keys(),
      ...brush.keys(),
      ...ALWAYS,
      ...(this.context.runs.query === "" || !this.#list
        ? []
        : candidates(this.#list.columns, this.#list.runs, this.#choice?.ranked ?? [])),
    ];
    return [...new Set(ids)].filter((id) => this.#isKnown(id));
  });
  readonly #columnsRequest = $derived.by((): ColumnsRequest => ({ ...this.#selection, columns: this.#wanted }));
  /** The rows of the table, all of them, in its order. */
  readonly #rowsRequest = $derived.by((): Omit<TrialsRequest, "columns"> => {
    const sort = this.settings.sort.filter(({ id }) => this.#isKnown(id));
    return {
      ...this.#selection,
      sort: sort.map(({ id, descending }) => (descending ? `-${id}` : id)),
      // The best trial comes first, unless a person chose another order.
      ...(this.settings.isSorted ? {} : { results_first: true }),
    };
  });

  /** Everything that is shown. */
  readonly trials = $derived.by((): Trials => {
    const { value } = this.#values;
    return value ? trialsOf(value) : NO_TRIALS;
  });
  readonly unfiltered = $derived.by((): Trials => {
    const { value } = this.#unfiltered;
    return value ? trialsOf(value) : NO_TRIALS;
  });

  /** The brush, and filters for which the server has not answered yet: they are shown at once. */
  readonly #narrowing = $derived.by((): Brush => {
    const { where, brush } = this.settings;
    return this.isCurrent || where.size === 0 ? brush : new Map([...where, ...brush]);
  });
  readonly isNarrowed = $derived.by(() => [...this.#narrowing.keys()].some((id) => this.trials.columns.has(id)));
  readonly inside = $derived.by(() => insideOf(this.#narrowing, this.trials.columns, this.trials.rows.length));
  readonly insideCount = $derived.by(() => countOf(this.inside));
  readonly rowOf = $derived.by(() => {
    const rows = new Map<string, number>();
    this.trials.rows.forEach(({ runs }, row) => runs.forEach((run) => rows.set(run, row)));
    return rows;
  });
  readonly #isOut = $derived.by(() => withoutResult(this.trials.columns.get(STATUS), this.trials.rows.length));
  readonly outCount = $derived.by(() => countOf(this.#isOut));
  readonly axes = $derived.by((): readonly ParallelAxis[] =>
    this.settings.axes.flatMap((id) => {
      const column = this.trials.columns.get(id);
      return column ? [axisOf(column, this.settings.axisPreference(id))] : [];
    }),
  );
  readonly goodness = $derived.by((): Goodness | null => {
    const { colour, objective } = this.settings;
    if (colour === objective?.id) return this.objectiveGoodness;
    const column = colour ? this.trials.columns.get(colour) : undefined;
    return column ? goodnessOf(column, this.goalOf(column.id) ?? "max") : null;
  });
  readonly objectiveGoodness = $derived.by((): Goodness | null => {
    const { objective } = this.settings;
    const column = objective ? this.trials.columns.get(objective.id) : undefined;
    return column && objective ? goodnessOf(onlyResults(column, this.#isOut), objective.goal) : null;
  });
  readonly best = $derived.by(() => (this.objectiveGoodness ? bestRow(this.objectiveGoodness) : null));
  readonly bestInside = $derived.by(() => {
    if (!this.objectiveGoodness || this.best === null || this.inside[this.best] === 1) return this.best;
    return bestRow(this.objectiveGoodness, this.inside);
  });
  /** The row that is drawn on top. */
  readonly highlighted = $derived.by((): number | null => {
    const wanted = this.pointed ?? this.context.runs.focused;
    return (wanted === null ? undefined : this.rowOf.get(wanted)) ?? this.bestInside;
  });

  column(id: string): TrialColumn | undefined {
    return this.trials.columns.get(id);
  }

  nameOf(row: number): string {
    const trial = this.trials.rows[row];
    return trial ? this.labelOf(trial) : "";
  }

  nameOfKey(key: string): string {
    const row = this.rowOf.get(key);
    return row === undefined ? this.labelOf({ key, runs: [key] }) : this.nameOf(row);
  }

  /** As files have it: without the label that somebody gave it here. */
  fileNameOf(key: string): string {
    const { runs } = this.trials.rows[this.rowOf.get(key) ?? -1] ?? { runs: [key] };
    return runs.length > 1 ? `${key} (${runs.length} runs)` : key;
  }

  labelOf({ key, runs }: Trial): string {
    const label = this.context.runs.styleOf(key).label || key;
    return runs.length > 1 ? `${label} ×${runs.length}` : label;
  }

  /** The runs' tags, the likeliest to be judged by first. */
  get ranked(): readonly string[] {
    return this.#choice?.ranked ?? [];
  }

  get noObjectiveReason(): string {
    return `${this.#choice?.reason || "No run logs a metric yet"}.`;
  }

  /** Null where nobody says which end is the better one. */
  goalOf(id: string): Goal | null {
    const { objective } = this.settings;
    return objective?.id === id ? objective.goal : knownGoal(this.#choice ?? NO_CHOICE, this.infos, id);
  }

  /** Was it pruned, did it fail or crash? */
  hasResult(row: number): boolean {
    return this.#isOut[row] !== 1;
  }

  /** The ends of a column for colours; the last twentieth on the poor side is left out. */
  extentOf(id: string): readonly [number, number] | null {
    const column = this.trials.columns.get(id);
    if (!column || column.categories) return null;
    const { best, worst } = goodnessOf(onlyResults(column, this.#isOut), this.goalOf(id) ?? "max");
    return Number.isFinite(best) ? [Math.min(best, worst), Math.max(best, worst)] : null;
  }

  /** Metrics stand under each other, as in the table of all runs. */
  words(value: Cell | undefined, { type, isMeasured }: Pick<GridColumn, "type" | "isMeasured">): string {
    if (value === null || value === undefined) return "";
    return isMeasured && typeof value === "number" ? format.value(value) : valueWords(value, type);
  }

  /** Every column there is, metrics with their last value. */
  readonly allIds = $derived.by(() =>
    [...this.infos.values()].map(({ id, source }) => (source === "metric" ? `${id}:last` : id)),
  );

  withChildren(runs: readonly string[]): string[] {
    return runs.flatMap((run) => [run, ...(this.#children.get(run) ?? [])]);
  }

  /** The runs of rows, with those that are merged into them. */
  runsOf(rows: readonly number[]): string[] {
    return this.withChildren(rows.flatMap((row) => this.trials.rows[row]!.runs));
  }

  get importanceError(): string {
    return this.#importance.error;
  }

  /** The column of the deviations around a mean, and of how many runs are not in it; null where there is no mean. */
  aroundMean(id: string): { readonly deviation: string; readonly leftOut: string } | null {
    if (!this.settings.isAveraged || this.#groupBy.includes(id) || !isNumeric(this.typeOf(id))) return null;
    return { deviation: `${STD}${id}`, leftOut: `${LEFT_OUT}${id}` };
  }

  typeOf(id: string): ColumnType {
    return columnIds.parse(id).source === "metric" ? "number" : (this.infos.get(id)?.type ?? "text");
  }

  isInside(key: string): boolean {
    const row = this.rowOf.get(key);
    return row !== undefined && this.inside[row] === 1;
  }

  /** The keys of all trials, in the table's order. An effect that asks for them does so again when the order changes. */
  keysInOrder(): Promise<readonly string[]> {
    const key = `${this.#list?.version} ${JSON.stringify(this.#rowsRequest)}`;
    if (this.#order?.key === key) return this.#order.keys;
    const keys = this.rowsOf([]).then(({ runs }) => runs);
    this.#order = { key, keys };
    keys.catch(() => (this.#order = null));
    return keys;
  }

  /** All rows of the table with these columns, for a file. */
  rowsOf(columns: readonly string[]): ReturnType<typeof runsTable.trials> {
    return runsTable.trials({ ...this.#rowsRequest, columns: columns.filter((id) => this.#isKnown(id)) });
  }

  #isKnown(id: string): boolean {
    return columnIds.info(this.infos, id) !== undefined;
  }

  /** For effects: each loads again what changed. */
  loadColumns(): void {
    void this.context.catalogue.changedAt;
    void this.context.catalogue.runs;
    this.#columnsRevision += 1;
    this.#columns.load(null, this.#columnsRevision);
  }

  loadObjective(): void {
    if (this.#list) this.#objective.load(this.context.runs.query, this.#list.version);
  }

  loadTrials(): void {
    if (!this.#list || !this.#choice) return;
    this.#values.load(this.#columnsRequest, this.#list.version);
    this.table.request(this.#rowsRequest, this.#list.version);
  }

  loadUnfiltered(ids: readonly string[]): void {
    const { where: _, ...selection } = this.#selection;
    if (this.#list) this.#unfiltered.load({ ...selection, columns: ids }, this.#list.version);
  }

  loadImportance(): void {
    const request = this.#importanceRequest;
    if (request) this.#importance.load(request, `${this.#list?.version} ${JSON.stringify(request)}`);
  }

  close(): void {
    const { table } = this;
    for (const one of [this.#columns, this.#objective, this.#values, this.#unfiltered, table, this.#importance])
      one.close();
  }
}
