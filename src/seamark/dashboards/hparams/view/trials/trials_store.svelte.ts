/** The trials behind every view of this page: loaded once, filtered once, brushed once. */

import { format, Resource, type DashboardContext } from "$public/core";
import {
  runsTable,
  type Cell,
  type ColumnInfo,
  type ColumnList,
  type Goal,
  type GridColumn,
  type Importance,
  type ObjectiveChoice,
  type TablePage,
} from "$public/tables";
import { axisOf, type ParallelAxis } from "./axes";
import { countOf, insideOf } from "./brush";
import { candidates } from "./choose";
import { takeRows, type TrialColumn } from "./columns";
import { goodnessOf, type Goodness } from "./goodness";
import { bestRow } from "./inside";
import { knownGoal, NO_CHOICE, onlyResults, resultsFirst, withoutResult } from "./objective";
import { EVERY, partNames, standIns } from "./parts";
import { averaged, eachRun, NO_TRIALS, rowsOf, sortRows, type Trial, type Trials } from "./seeds";
import { Settings } from "./settings.svelte";
import { valueWords } from "./words";

/** New trials may arrive many times a second; this often their columns are loaded again. */
const PAUSE_MS = 1000;
const QUICK_MS = 100;
/** What takes long is loaded less often: loading never takes more than a third of the time. */
const pauseAfter = (tookMs: number): number => (tookMs > QUICK_MS ? tookMs * 2 : 0);
/** Trials are distinguished by so many parameters at most. */
const MAX_KEYS = 400;
const ALWAYS = ["run:status", "run:duration"];

interface RowsRequest {
  readonly query: string;
  readonly columns: readonly string[];
}

interface ImportanceRequest {
  readonly target: string;
  readonly goal: "min" | "max";
  readonly runs: readonly string[];
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
  readonly #rows = new Resource<RowsRequest, TablePage>(
    ({ query, columns }, signal) =>
      runsTable.rows({ ...(query === "" ? {} : { query }), columns, start: 0, stop: 1_000_000 }, signal),
    { pauseMs: pauseAfter },
  );
  /** Other runs are newer data for the same request: a filter that is dragged does not start it again and again. */
  readonly #importance = new Resource<ImportanceRequest, Importance>((request) => runsTable.importance(request), {
    pauseMs: PAUSE_MS,
    keyOf: ({ target, goal }) => `${goal} ${target}`,
  });
  #columnsRevision = 0;

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
  readonly #page = $derived.by((): TablePage | null => this.#rows.value);
  readonly error = $derived.by(() => this.#rows.failure ?? this.#columns.failure);
  readonly #importanceRequest = $derived.by((): ImportanceRequest | null => {
    const { objective } = this.settings;
    const { rows } = this.trials;
    if (!objective || rows.length === 0) return null;
    return { target: objective.id, goal: objective.goal, runs: rows.flatMap(({ runs }) => runs) };
  });
  readonly importance = $derived.by(() => (this.#importanceRequest ? this.#importance.value : null));
  readonly infos = $derived.by(
    (): ReadonlyMap<string, ColumnInfo> => new Map(this.#list?.columns.map((info) => [info.id, info])),
  );
  readonly isRead = $derived.by(() => this.#list !== null && (this.#page !== null || this.error !== null));
  readonly params = $derived.by(() => this.#list?.columns.filter(({ source }) => source === "param") ?? []);
  readonly problems = $derived.by(() => this.#list?.problems ?? []);
  /** How many runs there are, and how many the filter box leaves. */
  readonly total = $derived.by(
    () => (this.#page?.total ?? this.#list?.runs ?? 0) - (this.part === EVERY ? 0 : this.#hiddenParts),
  );
  /** Of each trial one row is shown, be the folder of its parts a run or not. */
  readonly #hiddenParts = $derived.by(() => {
    const runs = new Set(this.context.catalogue.runs.map(({ name }) => name));
    return this.#trialOf.size - [...new Set(this.#trialOf.values())].filter((trial) => !runs.has(trial)).length;
  });
  readonly #trialOf = $derived.by(() => new Map(Object.entries(this.#list?.inherits_params_from ?? {})));
  /** Where trials were written in parts: their names, and the one that stands for the trial. */
  readonly parts = $derived.by(() => partNames(this.#trialOf));
  readonly part = $derived.by(() => this.settings.part ?? this.usualPart);
  /** The part that measured the objective, else what a trial was not trained on. */
  readonly usualPart = $derived.by(
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

  readonly #keys = $derived.by(() => {
    const { isAveraged, seeds } = this.settings;
    if (!isAveraged || !this.#list) return [];
    const { runs } = this.#list;
    return this.params
      .filter((info) => runsTable.varies(info, runs) && !seeds.has(info.id))
      .slice(0, MAX_KEYS)
      .map(({ id }) => id);
  });

  /** Columns that are nowhere filled in what the query leaves; without a query every column is somewhere. */
  readonly #blank = $derived.by((): ReadonlySet<string> => {
    const columns = this.context.runs.query === "" || !this.#page?.runs.length ? [] : this.#page.columns;
    return new Set(columns.filter(({ values }) => values.every((value) => value === null)).map(({ id }) => id));
  });

  readonly #wanted = $derived.by((): readonly string[] => {
    const { columns, axes, objective, colour, where, brush } = this.settings;
    const known = (id: string): boolean => id.startsWith("metric:") || this.infos.has(id);
    const ids = [
      ...columns,
      ...axes,
      ...(objective ? [objective.id] : []),
      ...(colour ? [colour] : []),
      ...where.keys(),
      ...brush.keys(),
      ...this.#keys,
      ...ALWAYS,
      ...(this.context.runs.query === "" || !this.#list
        ? []
        : candidates(this.#list.columns, this.#list.runs, this.#choice?.ranked ?? [])),
    ];
    return [...new Set(ids)].filter(
      (id) => known(id) && (!id.startsWith("metric:") || this.infos.has(id.slice(0, id.lastIndexOf(":")))),
    );
  });
  readonly #request = $derived.by(() => JSON.stringify({ query: this.context.runs.query, columns: this.#wanted }));

  /** Everything the query leaves. */
  readonly #matched = $derived.by((): Trials => {
    const page = this.#page;
    if (!page) return NO_TRIALS;
    const rows = standIns(page.runs, this.#trialOf, this.part);
    const isWhole = rows.length === page.runs.length;
    const runs = isWhole ? page.runs : rows.map((row) => page.runs[row]!);
    const columns = isWhole
      ? page.columns
      : page.columns.map((column) => ({ ...column, values: rows.map((row) => column.values[row]!) }));
    return this.settings.isAveraged ? averaged(runs, columns, new Set(this.#keys)) : eachRun(runs, columns);
  });

  /** Everything that is shown: what the filters leave of it. */
  readonly trials = $derived.by((): Trials => {
    const all = this.#matched;
    const { where } = this.settings;
    if (where.size === 0) return all;
    const rows = rowsOf(insideOf(where, all.columns, all.rows.length));
    return {
      rows: rows.map((row) => all.rows[row]!),
      columns: new Map([...all.columns].map(([id, column]) => [id, takeRows(column, rows)])),
      deviations: new Map(
        [...all.deviations].map(([id, values]) => [id, Float64Array.from(rows, (row) => values[row]!)]),
      ),
      leftOut: new Map([...all.leftOut].map(([id, counts]) => [id, rows.map((row) => counts[row]!)])),
    };
  });
  /** As the filter of a column sees it: with what other rows hold. */
  readonly unfiltered = $derived.by(() => this.#matched);

  readonly inside = $derived.by(() => insideOf(this.settings.brush, this.trials.columns, this.trials.rows.length));
  readonly insideCount = $derived.by(() => countOf(this.inside));
  readonly rowOf = $derived.by(() => {
    const rows = new Map<string, number>();
    this.trials.rows.forEach(({ runs }, row) => runs.forEach((run) => rows.set(run, row)));
    return rows;
  });
  readonly #isOut = $derived.by(() => withoutResult(this.trials.columns.get("run:status"), this.trials.rows.length));
  readonly outCount = $derived.by(() => countOf(this.#isOut));
  readonly order = $derived.by(() => {
    const rows = sortRows([...this.trials.rows.keys()], this.trials, this.settings.sort, (row) => this.nameOf(row));
    // The best trial comes first, unless a person chose another order.
    return this.settings.isSorted ? rows : resultsFirst(rows, this.#isOut);
  });

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

  /** For effects: each loads again what changed. */
  loadColumns(): void {
    void this.context.catalogue.changedAt;
    void this.context.catalogue.runs;
    this.#columnsRevision += 1;
    this.#columns.load(null, this.#columnsRevision);
  }

  loadObjective(): void {
    this.#objective.load(this.context.runs.query, this.#list?.version ?? "");
  }

  loadRows(): void {
    if (this.#list && this.#choice) this.#rows.load(JSON.parse(this.#request) as RowsRequest, this.#list.version);
  }

  loadImportance(): void {
    const request = this.#importanceRequest;
    if (request) this.#importance.load(request, `${this.#list?.version} ${request.runs.join("\0")}`);
  }

  close(): void {
    for (const resource of [this.#columns, this.#objective, this.#rows, this.#importance]) resource.close();
  }
}
