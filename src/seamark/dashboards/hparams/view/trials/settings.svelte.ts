/** Everything a person chose on this page, kept in the address. */

import { type DashboardContext } from "$public/core";
import {
  runsTable,
  type ColumnInfo,
  type Goal,
  type ObjectiveChoice,
  type SortTerm,
  type Condition,
} from "$public/tables";
import { SCALE_NAMES, type ScaleName, type AxisPreference } from "../axes/axes";
import { brushed, readBrush, writeBrush, type Brush } from "../axes/brush";
import { defaultColumns, type IsBlank } from "./default_columns";
import { judge, type Objective, type Question } from "./objective";

export interface Known {
  readonly runs: number;
  readonly columns: ReadonlyMap<string, ColumnInfo>;
  /** What the server found of the runs that the query leaves. */
  readonly choice: ObjectiveChoice;
  /** Has none of the runs that the filter leaves a value there? */
  readonly isBlank: IsBlank;
}

/** As the part of a trial: each run is a trial of its own. */
export const EVERY = "every";
export type View = "parallel" | "matrix";

export class Settings {
  /** While a brush is dragged it is here, and in the address once it is let go. */
  #dragged = $state.raw<Brush | null>(null);

  constructor(
    private readonly context: DashboardContext,
    private readonly known: () => Known,
  ) {}

  readonly #infos = $derived.by(() => [...this.known().columns.values()]);
  readonly view = $derived.by((): View => (this.#get("view") === "matrix" ? "matrix" : "parallel"));
  readonly #judged = $derived.by(() =>
    judge(this.known().choice, this.known().columns, { id: this.#get("objective"), goal: this.#get("goal") }),
  );
  readonly objective = $derived.by((): Objective | null => this.#judged.objective);
  /** What a person is asked before any trial is called the best; null where nothing is open. */
  readonly question = $derived.by((): Question | null => this.#judged.question);
  readonly undecided = $derived.by((): string | null => this.#judged.undecided);
  /** Of the table, in its order. */
  readonly columns = $derived.by(
    () =>
      this.#list("columns") ??
      defaultColumns(
        this.#infos,
        this.known().runs,
        this.objective?.id ?? null,
        this.known().choice.ranked,
        this.known().isBlank,
      ),
  );
  /** Parameters as the table has them, then the objective, or what may be meant, which stands last until somebody moves it. */
  readonly axes = $derived.by(
    () =>
      this.#list("axes") ?? [
        ...this.columns.filter((id) => id.startsWith("param:")),
        ...(this.objective ? [this.objective.id] : new Set(this.question?.options.map(({ id }) => id))),
      ],
  );
  readonly isSorted = $derived.by(() => this.#list("sort") !== undefined);
  readonly sort = $derived.by((): readonly SortTerm[] => {
    const chosen = this.#list("sort");
    if (chosen) return runsTable.readOrder(chosen);
    return this.objective ? [{ id: this.objective.id, descending: this.objective.goal === "max" }] : [];
  });
  readonly savedBrush = $derived.by(() => readBrush(this.#get("brush")));
  readonly brush = $derived.by(() => this.#dragged ?? this.savedBrush);
  readonly isDragging = $derived(this.#dragged !== null);
  /** What is left out altogether: by status, by the ends of a column, by its words. */
  readonly where = $derived.by(() => readBrush(this.#get("where")));
  readonly part = $derived.by(() => this.#get("part"));
  readonly isAveraged = $derived.by(() => this.#get("seeds") !== undefined);
  /** The parameters in which runs of one trial may differ. */
  readonly seeds = $derived.by((): ReadonlySet<string> => {
    const chosen = this.#get("seeds") === "none" ? [] : this.#list("seeds");
    return new Set(
      chosen ??
        this.#infos.filter(({ source, name }) => source === "param" && runsTable.isSeed(name)).map(({ id }) => id),
    );
  });
  readonly colour = $derived.by(() => this.#get("colour") ?? this.objective?.id ?? null);
  /** The key of the trial in the details panel. */
  readonly trial = $derived.by(() => {
    const { item } = this.context.selection;
    return item?.type === "trial" ? (item.run ?? null) : null;
  });
  readonly effect = $derived.by(() => this.#get("effect") ?? null);
  readonly #scales = $derived.by((): Readonly<Record<string, string>> => readRecord(this.#get("scales")));
  readonly #widths = $derived.by((): Readonly<Record<string, string>> => readRecord(this.#get("widths")));

  axisPreference(id: string): AxisPreference {
    const [scale, flip] = (this.#scales[id] ?? "").split(" ");
    // Better is further up.
    const usual = id === this.objective?.id && this.objective.goal === "min";
    return {
      scale: SCALE_NAMES.find((known) => known === scale),
      flipped: flip === "flipped" ? true : flip === "upright" ? false : usual,
    };
  }

  setScale(id: string, scale: ScaleName | undefined, flipped?: boolean): void {
    const words = `${scale ?? ""} ${flipped === undefined ? (this.#scales[id]?.split(" ")[1] ?? "") : flipped ? "flipped" : "upright"}`;
    this.#record("scales", { ...this.#scales, [id]: words });
  }

  widthOf(id: string): number | undefined {
    const width = Number(this.#widths[id]);
    return width > 0 ? width : undefined;
  }

  setWidth(id: string, widthPx: number): void {
    this.#record("widths", { ...this.#widths, [id]: String(widthPx) });
  }

  setView(view: View): void {
    this.#set("view", view === "parallel" ? undefined : view);
  }

  setObjective(id: string, goal?: Goal): void {
    const before = this.objective?.id ?? this.undecided;
    // What followed the objective follows the new one.
    if (before && before !== id) {
      for (const name of ["columns", "axes"]) {
        const list = this.#list(name);
        if (list && !list.includes(id))
          this.#keep(
            name,
            list.map((each) => (each === before ? id : each)),
          );
      }
      this.#set("sort", undefined);
      this.#set("colour", undefined);
    }
    this.#set("objective", id);
    this.#set("goal", goal);
  }

  setColumns(ids: readonly string[] | null): void {
    this.#keep("columns", ids);
  }

  toggleColumn(id: string): void {
    this.setColumns(this.columns.includes(id) ? this.columns.filter((each) => each !== id) : [...this.columns, id]);
  }

  moveColumn(from: number, to: number): void {
    this.setColumns(runsTable.moved(this.columns, from, to));
  }

  setAxes(ids: readonly string[] | null): void {
    this.#keep("axes", ids);
  }

  toggleAxis(id: string): void {
    this.setAxes(this.axes.includes(id) ? this.axes.filter((each) => each !== id) : [...this.axes, id]);
  }

  moveAxis(from: number, to: number): void {
    this.setAxes(runsTable.moved(this.axes, from, to));
  }

  setSort(sort: readonly SortTerm[]): void {
    this.#keep("sort", sort.length === 0 ? null : runsTable.writeOrder(sort));
  }

  /** `isDone` when the pointer was let go. */
  setBrush(brush: Brush, isDone = true): void {
    this.#dragged = isDone ? null : brush;
    if (isDone) this.#set("brush", writeBrush(brush));
  }

  setWhere(id: string, picks: readonly Condition[]): void {
    this.#set("where", writeBrush(brushed(this.where, id, picks)));
  }

  clearWhere(): void {
    this.#set("where", undefined);
  }

  /** The brush becomes the filter: what it leaves out is gone from all views. */
  keepBrushed(): void {
    const joined = new Map([...this.where, ...this.savedBrush]);
    this.#set("where", writeBrush(joined));
    this.setBrush(new Map());
  }

  setPart(part: string | undefined): void {
    this.#set("part", part);
  }

  setAveraged(wanted: boolean): void {
    this.#set("seeds", wanted ? "averaged" : undefined);
  }

  setSeeds(ids: readonly string[]): void {
    this.#set("seeds", ids.length === 0 ? "none" : JSON.stringify(ids));
  }

  setColour(id: string | undefined): void {
    this.#set("colour", id === this.objective?.id ? undefined : id);
  }

  open(trial: string): void {
    this.context.selection.select({ type: "trial", run: trial });
  }

  setEffect(id: string | null): void {
    this.#set("effect", id ?? undefined);
  }

  #get(name: string): string | undefined {
    return this.context.url.get(name);
  }

  #set(name: string, value: string | undefined): void {
    this.context.url.set(name, value);
  }

  #list(name: string): readonly string[] | undefined {
    return readList(this.#get(name));
  }

  #keep(name: string, ids: readonly string[] | null): void {
    this.#set(name, ids === null ? undefined : JSON.stringify(ids));
  }

  #record(name: string, entries: Readonly<Record<string, string>>): void {
    this.#set(name, JSON.stringify(entries));
  }
}

/** A list of words, or nothing: addresses are typed by hand too. */
export function readList(text: string | undefined): readonly string[] | undefined {
  const value = parseJson(text);
  return Array.isArray(value) && value.length > 0 ? value.filter((word) => typeof word === "string") : undefined;
}

function readRecord(text: string | undefined): Readonly<Record<string, string>> {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => typeof entry === "string"));
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
