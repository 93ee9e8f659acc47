/** The state of the table of all runs: what it shows is in the address, its rows are loaded from the server in windows. */

import { Resource } from "../../../data/resource.svelte";
import type { Session } from "../../../data/session.svelte";
import {
  fetchColumns,
  fetchGroups,
  fetchObjective,
  isPartial,
  type Cell,
  type ColumnInfo,
  type ColumnList,
  type Groups,
  type GroupsRequest,
  type ObjectiveChoice,
} from "../../../data/table";
import { TableSource } from "../../../data/table_source.svelte";
import { goalOf, readIds, writeIds } from "../../../data/column_id";
import { moved, type GridColumn } from "../../../ui/grid/grid";
import { readSort, writeSort, type SortTerm } from "../../../ui/grid/sort";
import type { Url } from "../../url.svelte";
import type { Runs } from "../runs.svelte";
import { stillThere } from "../selection";
import { keyOf, measures } from "./groups";
import {
  gridColumn,
  present,
  readColumns,
  readView,
  sameView,
  standardColumns,
  writeColumns,
  writeView,
  type TableView,
  type ViewColumn,
} from "./view";

const COLUMNS_PAUSE_MS = 2000;
const GROUPS_PAUSE_MS = 250;
const MAX_GROUP_METRICS = 8;
const NO_CHOICE = { objective: null, candidates: [], ranked: [] };
const NONE: ReadonlySet<string> = new Set();
const DEFAULT_TAIL = 10;
const FIRST_PX = 240;

export class RunTable {
  readonly source = new TableSource();
  /** Of very many columns the server lists some: those that are shown have to be among them. */
  readonly #columnList = new Resource<readonly string[] | null, ColumnList>(
    async (ids, signal) => {
      const list = ids === null ? await fetchColumns({}, signal) : null;
      return list === null || isPartial(list) ? fetchColumns({ ids: ids ?? this.#named }, signal) : list;
    },
    { pauseMs: COLUMNS_PAUSE_MS },
  );
  readonly #choice = new Resource<null, ObjectiveChoice>((_, signal) => fetchObjective({}, signal), {
    pauseMs: COLUMNS_PAUSE_MS,
  });
  readonly #groups = new Resource<GroupsRequest, Groups>(fetchGroups, { pauseMs: GROUPS_PAUSE_MS });
  /** Keys of runs or of groups, and the rows among which they were selected. */
  #selection = $state.raw<{ readonly among: string; readonly keys: ReadonlySet<string> }>({ among: "", keys: NONE });

  constructor(
    private readonly session: Session,
    private readonly url: Url,
    private readonly runs: Runs,
  ) {}

  /** With the first answer about the objective: the columns would change places when it comes. */
  readonly list = $derived.by((): ColumnList | null =>
    this.#choice.value || this.#choice.failure ? this.#columnList.value : null,
  );
  readonly groups = $derived.by((): Groups | null => this.#groups.value);
  readonly isOpen = $derived.by(() => this.url.get("runTable") === "open");
  readonly byId = $derived.by(
    (): ReadonlyMap<string, ColumnInfo> => new Map(this.list?.columns.map((column) => [column.id, column])),
  );
  readonly #chosen = $derived.by(() => readColumns(this.url.get("tableColumns")));
  /** Ids that the address names. */
  readonly #named = $derived.by((): readonly string[] => [
    ...(this.#chosen ?? []).map(({ id }) => id),
    ...readSort(readIds(this.url.get("tableSort"))).map(({ id }) => id),
    ...readIds(this.url.get("tableGroup")),
  ]);
  readonly view = $derived.by((): TableView => ({
    columns: this.#chosen,
    sort: readIds(this.url.get("tableSort")),
    groupBy: readIds(this.url.get("tableGroup")),
    baseline: readBaseline(this.url.get("tableBaseline")),
    query: this.runs.query,
  }));
  /** As a person chose them, or what tells runs apart; without those that are gone. */
  readonly columns = $derived.by((): readonly ViewColumn[] =>
    present(
      this.byId,
      this.#chosen?.filter(({ id }) => id !== "run:name") ??
        standardColumns(this.byId, this.list?.runs ?? 0, this.#choice.value ?? NO_CHOICE),
    ),
  );
  readonly gridColumns = $derived.by((): readonly GridColumn[] =>
    this.columns.map((column) => ({ ...gridColumn(this.byId, column), goal: goalOf(this.byId, column.id) })),
  );
  readonly first = $derived.by((): GridColumn => ({
    id: "run:name",
    title: "Run",
    type: "text",
    widthPx: this.#chosen?.find(({ id }) => id === "run:name")?.widthPx ?? FIRST_PX,
  }));
  /** A column that is gone orders nothing. */
  readonly sort = $derived.by((): readonly SortTerm[] =>
    this.view.sort.length === 0
      ? this.#bestFirst
      : readSort(this.view.sort).filter(({ id }) => id === "run:name" || present(this.byId, [{ id }]).length > 0),
  );
  /** By the objective, if it is known and its column is shown. */
  readonly #bestFirst = $derived.by((): readonly SortTerm[] => {
    const { id, goal } = this.#choice.value?.objective ?? {};
    if (id === undefined || !this.columns.some((column) => column.id === id)) return [];
    return [{ id, descending: (goal || goalOf(this.byId, id)) === "max" }];
  });
  readonly groupBy = $derived.by((): readonly string[] =>
    present(
      this.byId,
      this.view.groupBy.map((id) => ({ id })),
    ).map(({ id }) => id),
  );
  readonly tail = $derived.by(() => Math.max(1, Math.round(Number(this.url.get("tableTail")) || DEFAULT_TAIL)));
  readonly showsArchived = $derived.by(() => this.runs.showsHidden);

  readonly views = $derived.by(
    (): ReadonlyMap<string, TableView> =>
      new Map(
        Object.entries(this.session.notes.document.views)
          .flatMap(([name, saved]) => {
            const view = readView(saved);
            return view ? [[name, view] as const] : [];
          })
          .sort(([a], [b]) => a.localeCompare(b)),
      ),
  );
  /** The name under which what is shown now is saved. */
  readonly viewName = $derived.by(() => [...this.views].find(([, view]) => sameView(view, this.view))?.[0] ?? null);
  /** Grows when data or notes do. */
  readonly revision = $derived.by(
    () => `${this.session.changedAt} ${this.session.isComplete} ${this.session.notes.document.version}`,
  );

  /** What the columns of groups measure. */
  readonly metrics = $derived.by(() => measures(this.columns.map(({ id }) => id)).slice(0, MAX_GROUP_METRICS));
  readonly #groupsRequest = $derived.by((): GroupsRequest => ({
    query: this.runs.settledQuery,
    archived: this.showsArchived ? "show" : "hide",
    by: this.groupBy,
    metrics: this.metrics,
    tail: this.tail,
    goal: Object.fromEntries(this.metrics.map((id) => [id, goalOf(this.byId, id)])),
    ...(this.view.baseline ? { baseline: this.view.baseline } : {}),
  }));

  readonly #groupKeys = $derived.by(() => (this.groups ? new Set(this.groups.groups.map(keyOf)) : null));
  /** Until all is read, the rows may hold runs of which the list of runs does not know yet. */
  readonly #runNames = $derived.by(() => {
    const notes = this.session.notes.document.runs;
    const known = this.session.runs.map(({ name }) => name);
    const names = this.session.isComplete ? known : [...known, ...this.#selection.keys];
    return new Set(names.filter((name) => this.showsArchived || !notes[name]?.archived));
  });

  /** What is not listed any more is not selected any more, or a bulk action would reach it unseen. */
  readonly selected = $derived.by((): ReadonlySet<string> => {
    const { among, keys } = this.#selection;
    return among === this.#among ? stillThere(keys, this.groupBy.length > 0 ? this.#groupKeys : this.#runNames) : NONE;
  });
  /** Keys of groups and of runs do not mix, and another query leaves other rows. */
  readonly #among = $derived.by(() => JSON.stringify([this.runs.query, this.groupBy]));

  get error(): string {
    return this.#columnList.error;
  }

  get groupsError(): string {
    return this.#groups.error;
  }

  open(): void {
    this.url.set("runTable", "open", { push: true });
  }

  close(): void {
    this.url.set("runTable", undefined, { push: true });
  }

  /** For an effect, while the table is open. */
  loadColumns(): void {
    this.#columnList.load(isPartial(this.list) ? this.#named : null, this.revision);
    // Other runs or other columns may have another objective; more points seldom do.
    this.#choice.load(null, `${this.list?.runs} ${this.list?.columns.length}`);
  }

  retry(): void {
    this.#columnList.retry();
  }

  loadGroups(): void {
    this.#groups.load(this.#groupsRequest, this.revision);
  }

  loadRows(): void {
    if (this.list === null) return; // the order may name columns
    this.source.request(
      {
        query: this.runs.settledQuery,
        sort: writeSort(this.sort),
        archived: this.showsArchived ? "show" : "hide",
        tail: this.tail,
      },
      this.revision,
    );
  }

  select(keys: readonly string[], wanted: boolean): void {
    const next = new Set(this.selected);
    for (const key of keys)
      if (wanted) next.add(key);
      else next.delete(key);
    this.#selection = { among: this.#among, keys: next };
  }

  /** For an effect: what is gone is not selected when it comes back. */
  forgetGone(): void {
    if (this.selected.size < this.#selection.keys.size) this.#selection = { among: this.#among, keys: this.selected };
  }

  selectNone(): void {
    this.#selection = { among: "", keys: NONE };
  }

  setSort(sort: readonly SortTerm[]): void {
    this.url.set("tableSort", writeIds(writeSort(sort)));
  }

  setColumns(columns: readonly ViewColumn[]): void {
    const name = this.#chosen?.find(({ id }) => id === "run:name");
    this.url.set(
      "tableColumns",
      writeColumns([...(name ? [name] : []), ...columns.filter(({ id }) => id !== "run:name")]),
    );
  }

  standard(): void {
    this.url.set("tableColumns", undefined);
  }

  show(id: string, wanted: boolean): void {
    this.setColumns(
      wanted
        ? [...this.columns.filter((column) => column.id !== id), { id }]
        : this.columns.filter((column) => column.id !== id),
    );
  }

  resize(id: string, widthPx: number): void {
    if (id === "run:name") this.url.set("tableColumns", writeColumns([{ id, widthPx }, ...this.columns]));
    else this.#change(id, { widthPx });
  }

  setLook(id: string, look: NonNullable<ViewColumn["look"]>): void {
    this.#change(id, { look });
  }

  #change(id: string, change: Partial<ViewColumn>): void {
    this.setColumns(this.columns.map((column) => (column.id === id ? { ...column, ...change } : column)));
  }

  move(from: number, to: number): void {
    this.setColumns(moved(this.columns, from, to));
  }

  setGroup(ids: readonly string[]): void {
    this.url.set("tableBaseline", undefined);
    this.url.set("tableGroup", writeIds(ids), { push: true });
  }

  setBaseline(key: readonly Cell[] | null): void {
    this.url.set("tableBaseline", key === null ? undefined : JSON.stringify(key));
  }

  setTail(points: number): void {
    this.url.set("tableTail", points === DEFAULT_TAIL ? undefined : String(points));
  }

  saveView(name: string): void {
    this.session.notes.change({ views: { [name]: writeView(this.view) } });
  }

  removeView(name: string): void {
    this.session.notes.change({ views: { [name]: null } });
  }

  takeView({ columns, sort, groupBy, baseline, query }: TableView): void {
    this.selectNone();
    this.url.set("tableColumns", writeColumns(columns), { push: true });
    this.url.set("tableSort", writeIds(sort));
    this.url.set("tableGroup", writeIds(groupBy));
    this.setBaseline(baseline);
    this.runs.query = query;
  }
}

function readBaseline(text: string | undefined): readonly Cell[] | null {
  try {
    const key = JSON.parse(text ?? "null") as unknown;
    return Array.isArray(key) ? (key as Cell[]) : null;
  } catch {
    return null;
  }
}
