/** The runs as a person sees them: filtered, checked, coloured, named, ordered. Dashboards get this as `context.runs`. */

import { cssColour, PALETTE_SIZE } from "../../base/colours";
import { parseFilter } from "../../base/patterns.svelte";
import { isUnfinished, kindOf, namePattern } from "../../base/query_text";
import { SettledQuery } from "../../ui/query/settled_query.svelte";
import { fetchLastValues, type Run, type RunNotes } from "../../data/api";
import { metricId, parseColumnId, titleOf } from "../../data/column_id";
import { Resource } from "../../data/resource.svelte";
import { StatusSource } from "../../data/status_source.svelte";
import type { Session } from "../../data/session.svelte";
import { fetchObjective, fetchTable, type ObjectiveChoice } from "../../data/table";
import type { RunStyle, RunsView } from "../../public/core";
import { writeSort, type SortTerm } from "../../ui/grid/sort";
import { readSetting } from "../settings.svelte";
import type { Url } from "../url.svelte";
import { ColumnGroups } from "./column_groups.svelte";
import { ExpressionFilter } from "./expression_filter.svelte";
import { assignColours, numberCharts, parseColouring, UNGROUPED, type Coloured } from "./colouring";
import { entryOf, rankNames, readRunSort, sortEntries, type RunEntry } from "./entry";
import { sharedTail } from "./names";
import { Parts, partStyle } from "./parts";
import { buildRows, type Row } from "./rows";
import { ALL, check, fewest, isPartChecked, only, readSelection, writeSelection, type Selection } from "./selection";
import { isLive, mayChange } from "./status";

/** Of more runs colours repeat in any case: nobody looks for those that are free. */
const MAX_APART = 1000;
const VALUES_PAUSE_MS = 1000;
/** Values of many thousands of runs take long: they are read a tenth of the time. */
const VALUES_PAUSE = 9;
const NO_CHOICE: ObjectiveChoice = { objective: null, candidates: [], reason: "", ranked: [] };
const NO_VALUES: ReadonlyMap<string, number> = new Map();
const NO_STYLE: RunStyle = { ...UNGROUPED, colour: cssColour(UNGROUPED.token), label: "", live: false };

export class Runs implements RunsView {
  readonly #session: Session;
  readonly #url: Url;
  /** The values of a metric. If they cannot be read, the column is empty; the charts say why. */
  readonly #lastValues = new Resource((request: ValuesRequest) => fetchValues(request).catch(() => NO_VALUES), {
    pauseMs: (tookMs) => Math.max(VALUES_PAUSE_MS, tookMs * VALUES_PAUSE),
  });
  readonly #choice = new Resource<null, ObjectiveChoice>((_, signal) => fetchObjective({}, signal));

  readonly #statuses = new StatusSource(mayChange);

  constructor(session: Session, url: Url) {
    this.#session = session;
    this.#url = url;
  }

  readonly #pattern = $derived.by(() => parseFilter(namePattern(this.query) ?? ""));
  readonly #isExpression = $derived.by(() => kindOf(this.query) === "expression");
  readonly #settled = new SettledQuery();
  readonly #expression = new ExpressionFilter();
  /** Runs by the columns that `settings.groupBy` names. */
  readonly columnGroups = new ColumnGroups();
  /** Why the filter as typed filters nothing, or not as typed. */
  readonly filterError = $derived.by((): Error | null =>
    this.#isExpression
      ? this.#expression.error
      : this.#pattern.error
        ? new Error(`${this.#pattern.error}. All runs stay.`)
        : null,
  );
  readonly colouring = $derived.by(() => parseColouring(this.colourBy));
  readonly selection = $derived.by(() => readSelection(this.#param("runs")));
  readonly sort = $derived.by(() => readRunSort(this.#param("runSort")));
  readonly #toggled = $derived.by(() => readSelection(this.#param("folders") ?? "").except);
  /** What is shown without a choice: the objective, or the metric that is likeliest to be one. */
  readonly #usualValue = $derived.by(() => {
    const { objective, candidates, ranked } = this.#choice.value ?? NO_CHOICE;
    const ids = [
      ...(objective ? [objective] : candidates).map(({ id }) => id),
      ...ranked.map((tag) => metricId(tag, "last")),
    ];
    return ids.find((id) => parseColumnId(id).source === "metric") ?? "";
  });
  /** The column of values, as the table calls it: `metric:val/loss:last`; "" for none. */
  readonly #valueId = $derived.by(() => {
    const tag = this.#param("runMetric");
    return tag === undefined ? this.#usualValue : tag === "" ? "" : metricId(tag, "last");
  });
  /** The tag whose values are a column, or "". */
  readonly metric = $derived(this.#valueId === "" ? "" : parseColumnId(this.#valueId).name);
  readonly valueTitle = $derived(this.#valueId === "" ? "" : titleOf(this.#valueId));

  readonly #values = $derived.by(() =>
    this.#valueId === "" ? NO_VALUES : withNoted(this.#lastValues.value ?? NO_VALUES, this.parts),
  );

  // As text, so that a list read again redraws nothing unless something changed.
  readonly #mergedKey = $derived.by(() =>
    this.#session.runs.some(isMerged)
      ? JSON.stringify(this.#session.runs.map(({ name, merged_into, curve }) => ({ name, merged_into, curve })))
      : "[]",
  );
  readonly #merged = $derived(new Parts(JSON.parse(this.#mergedKey) as Run[]));
  /** How many folders there are that are listed as part of their run, unless `foldersAsRuns` is on. */
  readonly mergedCount = $derived(this.#merged.size);
  /** Those that are listed so. */
  readonly parts = $derived.by(() =>
    readSetting("foldersAsRuns", this.#param("foldersAsRuns")) ? new Parts([]) : this.#merged,
  );
  readonly #listed = $derived.by(() => {
    const { parts } = this;
    if (parts.size === 0) return this.#session.runs;
    const byName = new Map(this.#session.runs.map((run) => [run.name, run]));
    return this.#session.runs
      .filter(({ name }) => !parts.get(name))
      .map((run) =>
        withParts(
          run,
          parts.of(run.name).flatMap(({ name }) => byName.get(name) ?? []),
        ),
      );
  });
  /** How many runs there are. */
  readonly count = $derived(this.#listed.length);
  readonly #namesKey = $derived.by(() => this.#listed.map((run) => run.name).join("\0"));
  readonly #positionsKey = $derived.by(() => this.#listed.map((run, index) => run.position ?? index).join());
  readonly #liveKey = $derived.by(() =>
    this.#session.runs
      .map((run) => run.name)
      .filter((name) => isLive(this.statusOf(name)))
      .join("\0"),
  );
  readonly #notes = $derived.by(() => this.#session.notes.document.runs);
  readonly tail = $derived(sharedTail(split(this.#namesKey)));

  /** All of them, also the hidden ones. */
  readonly #all = $derived.by(() => {
    // Not once for each run: while Svelte applies changes, a derived value may be computed whenever it is read.
    const [notes, tail] = [this.#notes, this.tail];
    return this.#listed.map((run) => entryOf(run, notes[run.name], tail));
  });
  readonly hiddenCount = $derived(this.#all.filter(isPutAway).length);
  readonly entries = $derived.by(() => (this.showsHidden ? this.#all : this.#all.filter((entry) => !isPutAway(entry))));
  readonly #ranks = $derived(rankNames(split(this.#namesKey)));
  readonly sorted = $derived(sortEntries(this.entries, { sort: this.sort, ranks: this.#ranks, values: this.#values }));
  readonly #matchesItself = $derived.by((): ((entry: RunEntry) => boolean) => {
    if (this.#isExpression) return ({ run }) => this.#expression.matches(run);
    const pattern = this.#pattern;
    return ({ name, label }) => pattern.matches(name) || (label !== name && pattern.matches(label));
  });
  /** A filter may name a folder of a run. */
  readonly #matchesPart = $derived.by((): ((name: string) => boolean) => {
    if (this.#isExpression) return () => false;
    const pattern = this.#pattern;
    return (name) => pattern.matches(name);
  });
  readonly #matches = $derived.by((): ((entry: RunEntry) => boolean) => {
    const [parts, matchesItself, matchesPart] = [this.parts, this.#matchesItself, this.#matchesPart];
    return (entry) => matchesItself(entry) || parts.of(entry.name).some(({ name }) => matchesPart(name));
  });
  readonly matching = $derived(this.sorted.filter(this.#matches));
  readonly rows = $derived.by((): Row[] => {
    const { matching, sorted } = this;
    const matches = this.#matches;
    const others = matching.length === sorted.length ? [] : sorted.filter((entry) => !matches(entry));
    return buildRows(matching, others, { tree: this.isTree, toggled: this.#toggled });
  });
  readonly #shownKey = $derived.by(() => {
    const { selection, parts } = this;
    const [matchesItself, matchesPart] = [this.#matchesItself, this.#matchesPart];
    return this.matching
      .flatMap((entry) => {
        const own = parts.of(entry.name);
        const names = [entry.name, ...own.map(({ name }) => name)];
        const found = own.length === 0 || matchesItself(entry) ? names : names.filter(matchesPart);
        return found.filter((name) => isPartChecked(selection, name, entry.name));
      })
      .join("\0");
  });
  readonly shown = $derived(split(this.#shownKey));
  readonly shownRows = $derived.by((): readonly string[] => {
    const { parts, shown } = this;
    return parts.size === 0 ? shown : [...new Set(shown.map((name) => parts.rowOf(name)))];
  });
  readonly #shownSet = $derived(new Set(this.shown));

  readonly #hasManyColours = $derived.by(() => {
    const { count } = this;
    return count > PALETTE_SIZE && count <= MAX_APART;
  });
  readonly #chartsKey = $derived.by(() => {
    const names = split(this.#namesKey);
    if (!this.#hasManyColours) return "";
    const tags = this.#session.kinds.flatMap((kind) => this.#session.tags(kind));
    const { parts } = this;
    return numberCharts(names, tags, (run) => parts.rowOf(run)).join();
  });
  readonly #colours = $derived.by((): Map<string, Coloured> => {
    const names = split(this.#namesKey);
    const positions = this.#positionsKey.split(",");
    const [notes, tail] = [this.#notes, this.tail];
    const charts = this.#chartsKey.split(",");
    const shown = this.#hasManyColours ? new Set(this.shownRows) : null;
    const runs = names.map((name, index) => ({
      name: entryOf({ name } as RunEntry["run"], undefined, tail).path,
      position: Number(positions[index]),
      chosen: notes[name]?.colour,
      isShown: shown === null || shown.has(name),
      chart: Number(charts[index] ?? 0),
    }));
    const styles = assignColours(runs, this.colouring);
    return new Map(names.map((name, index) => [name, styles[index]!]));
  });
  readonly #styles = $derived.by(() => {
    const live = new Set(split(this.#liveKey));
    const [notes, tail, parts] = [this.#notes, this.tail, this.parts];
    return new Map(
      [...this.#colours].flatMap(([name, { token, dashed }]): [string, RunStyle][] => {
        const { label } = entryOf({ name } as RunEntry["run"], notes[name], tail);
        const row = { token, dashed, colour: cssColour(token), live: live.has(name), label };
        return [
          [name, row],
          ...parts.of(name).map((part): [string, RunStyle] => {
            const style = partStyle(row, part.place);
            const partLabel = part.curve === "" ? label : `${label} · ${part.curve}`;
            return [
              part.name,
              { ...style, colour: cssColour(style.token), live: live.has(part.name), label: partLabel },
            ];
          }),
        ];
      }),
    );
  });
  /** Only while it is shown: a run that is not there must not dim all others. */
  readonly focused = $derived.by(() => {
    const run = this.rowOf(this.#param("focus") ?? "");
    return this.shownRows.includes(run) ? run : null;
  });

  get query(): string {
    return this.#param("runFilter") ?? "";
  }

  set query(text: string) {
    this.#url.set("runFilter", text === "" ? undefined : text);
  }

  get colourBy(): string {
    return this.#param("runColorGroup") ?? "run";
  }

  set colourBy(text: string) {
    this.#url.set("runColorGroup", text === "run" ? undefined : text);
  }

  get isTree(): boolean {
    return this.#param("runList") !== "flat";
  }

  set isTree(wanted: boolean) {
    this.#url.set("runList", wanted ? undefined : "flat");
  }

  get showsHidden(): boolean {
    return this.#param("hiddenRuns") === "true";
  }

  set showsHidden(wanted: boolean) {
    this.#url.set("hiddenRuns", wanted ? "true" : undefined);
  }

  setMetric(tag: string): void {
    this.#url.set("runMetric", tag);
  }

  valueOf(run: string): number | undefined {
    return this.#values.get(run);
  }

  /** As in the table of all runs; undefined until the server has worked it out. */
  statusOf(run: string): string | undefined {
    return this.#statuses.of.get(run);
  }

  /** Loads the statuses when the data changed; for an effect. */
  readStatuses(): void {
    this.#statuses.load(null, `${this.#session.changedAt} ${this.#session.isComplete}`);
  }

  /** Loads them again while they may change by themselves; for an effect of its own. */
  pollStatuses(): (() => void) | void {
    return this.#statuses.poll();
  }

  /** Asks what to show in the column of values, where nobody chose; for an effect. */
  readObjective(): void {
    if (this.#param("runMetric") !== undefined || !this.#statuses.isKnown) return;
    this.#choice.load(null, `${this.#session.runs.length} ${this.#session.tags("scalars").length}`);
  }

  /** Reads the column of values when its tag or its data changed; for an effect. */
  readValues(): void {
    const tag = this.#param("runMetric");
    // The table has the metrics of folders that belong to a run, and other statistics than the last value.
    if (tag) this.#lastValues.load({ tag }, this.#session.revisionOf("scalars", tag));
    else if (this.#valueId !== "") this.#lastValues.load({ column: this.#valueId }, this.#session.changedAt);
  }

  /** The filter to send to the server: at once when it is complete, else when the person who types pauses. */
  get settledQuery(): string {
    return this.#settled.value;
  }

  /** For an effect. */
  settleQuery(): void {
    const { query } = this;
    this.#settled.settle(query, !this.#isExpression || !isUnfinished(query));
  }

  /** Loads which runs an expression matches, and the columns by which runs are grouped; for an effect. */
  readTable(groupBy: string, isBehind: boolean): void {
    const revision = `${this.#session.changedAt} ${this.#session.isComplete} ${this.#session.notes.document.version}`;
    this.#expression.load(this.#isExpression ? this.settledQuery : "", revision, isBehind);
    this.columnGroups.load(groupBy, revision);
  }

  isShown(run: string): boolean {
    return this.#shownSet.has(run);
  }

  isChecked(run: string): boolean {
    return isPartChecked(this.selection, run, this.rowOf(run));
  }

  rowOf(run: string): string {
    return this.parts.rowOf(run);
  }

  curveOf(run: string): string {
    return this.parts.get(run)?.curve ?? "";
  }

  styleOf(run: string): RunStyle {
    return this.#styles.get(run) ?? { ...NO_STYLE, label: run };
  }

  groupOf(run: string): string | null {
    return this.#colours.get(this.rowOf(run))?.group ?? null;
  }

  /** Where its event files lie. */
  pathOf(run: string): string {
    return this.#session.runs.find(({ name }) => name === run)?.path ?? run;
  }

  setFocus(run: string | null): void {
    this.#url.set("focus", run === null ? undefined : this.rowOf(run));
  }

  select(selection: Selection): void {
    this.#url.set("runs", writeSelection(selection));
  }

  check(runs: readonly string[], wanted: boolean): void {
    const rows = this.#rowsOf(runs);
    const parts = rows.flatMap((row) => this.parts.of(row).map(({ name }) => name));
    const { selection } = this;
    this.select(check(check(selection, parts, selection.others), rows, wanted));
  }

  /** Only these; if they are the only ones already, all that match. */
  showOnly(runs: readonly string[]): void {
    const rows = this.#rowsOf(runs);
    const isOnly = this.shownRows.length === rows.length && rows.every((run) => this.isChecked(run));
    if (isOnly)
      this.check(
        this.matching.map((entry) => entry.name),
        true,
      );
    else this.select(only(rows));
  }

  limitTo(runs: readonly string[] | null): void {
    this.select(
      runs === null
        ? ALL
        : fewest(
            this.#rowsOf(runs),
            this.#all.map(({ name }) => name),
          ),
    );
  }

  show(names: readonly string[]): void {
    const runs = this.#rowsOf(names);
    const wanted = new Set(runs);
    if (this.sorted.some((entry) => wanted.has(entry.name) && !this.#matches(entry))) this.query = "";
    if (runs.some((run) => this.#notes[run]?.hidden || this.#notes[run]?.archived)) this.showsHidden = true;
    this.check(runs, true);
  }

  setSort(sort: readonly SortTerm[]): void {
    this.#url.set("runSort", writeSort(sort)[0]);
  }

  toggleFolder(id: string): void {
    const toggled = new Set(this.#toggled);
    if (!toggled.delete(id)) toggled.add(id);
    this.#url.set("folders", toggled.size === 0 ? undefined : writeSelection({ others: false, except: toggled }));
  }

  note(run: string, change: NotesChange): void {
    this.noteAll([run], change);
  }

  /** One change for many: either all of them have it or none. */
  noteAll(runs: readonly string[], change: NotesChange): void {
    this.#session.notes.change({ runs: Object.fromEntries(runs.map((run) => [run, change])) });
  }

  #param(name: string): string | undefined {
    return this.#url.get(name);
  }

  #rowsOf(runs: readonly string[]): string[] {
    return [...new Set(runs.map((run) => this.rowOf(run)))];
  }
}

/** What the columns of the list count and date includes the parts. */
function withParts(run: Run, parts: readonly Run[]): Run {
  if (parts.length === 0) return run;
  const walls = [run, ...parts].flatMap(({ last_wall: wall }) => wall ?? []);
  return {
    ...run,
    points: parts.reduce((sum, { points }) => sum + points, run.points),
    last_wall: walls.length === 0 ? null : Math.max(...walls),
  };
}

const isMerged = ({ merged_into }: Run): boolean => merged_into !== undefined;

/** With the results that `add_hparams` noted in a folder of the run. */
function withNoted(values: ReadonlyMap<string, number>, parts: Parts): ReadonlyMap<string, number> {
  const noted = [...values].flatMap(([name, value]): [string, number][] => {
    const part = parts.get(name);
    return part && part.curve === "" && !values.has(part.row) ? [[part.row, value]] : [];
  });
  return noted.length === 0 ? values : new Map([...values, ...noted]);
}

export type NotesChange = { readonly [Field in keyof RunNotes]?: RunNotes[Field] | null };
type ValuesRequest = { readonly tag: string } | { readonly column: string };

async function fetchValues(request: ValuesRequest): Promise<ReadonlyMap<string, number>> {
  if ("tag" in request) return fetchLastValues(request.tag);
  const { runs, columns } = await fetchTable({ columns: [request.column], archived: "show" });
  const values = columns[0]?.values ?? [];
  return new Map(runs.flatMap((run, row) => (typeof values[row] === "number" ? [[run, values[row]]] : [])));
}

const isPutAway = ({ notes }: RunEntry): boolean => notes.hidden === true || notes.archived === true;

const split = (key: string): string[] => (key === "" ? [] : key.split("\0"));
