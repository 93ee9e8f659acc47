/** One card's data: what it reads for what is shown, and the series it draws from the answers. */

import {
  columnsFor,
  EMPTY_SET,
  joinSets,
  MANY_RUNS,
  NO_LIMITS,
  pointsWithin,
  rangeX,
  rangeY,
  scaleFor,
  SeriesSource,
  rowColumn,
  seriesOf,
  shownIn,
  widthFor,
  type ChartWindow,
  type Limits,
  type Range,
  type ScaleKind,
  type SeriesSet,
  type SeriesStyle,
  type SeriesRequest,
} from "$public/charts";
import { type Axis, type DashboardContext, type TagEntry } from "$public/core";
import { bandSet, grouping } from "./bands";
import { named, overMetric, runOfKey, tagOfKey } from "./combine";
import type { Deck } from "./deck.svelte";
import type { TypedRange } from "./limits";
import { rangeToRead, readWidth } from "./reading";

/** A request for the series of so few takes a browser longer than to read the answer. */
const FEW_RUNS = 8;

/** One tag's answers as series. */
class TagSeries {
  readonly source = new SeriesSource();
  /** When each run began, from an answer that held its beginning. */
  readonly #began = new Map<string, number>();

  readonly set = $derived.by((): SeriesSet | null => {
    const { loaded } = this.source;
    if (!loaded) return null;
    const { runs, columns } = loaded.value;
    if (!loaded.request.range && columns.began)
      runs.forEach((run, index) => this.#began.set(run, columns.began![index]!));
    return seriesOf(loaded.value, { axis: loaded.request.axis, beganOf: (run) => this.#began.get(run) });
  });

  /** Relative times inside a window need to know when each run began. */
  knowsBeginnings(runs: readonly string[]): boolean {
    void this.set;
    return runs.every((run) => this.#began.has(run));
  }
}

export class CardData {
  /** Device pixels of the plot, as the chart says. */
  pixels = $state(0);
  /** Never made inside a derived value, which would not notice when it changes. */
  #series = $state.raw<ReadonlyMap<string, TagSeries>>(new Map());

  constructor(
    private readonly context: DashboardContext,
    /** `smoothing`: instead of the setting's, for charts that show values as logged. */
    private readonly deck: Pick<Deck, "viewOf" | "zoom"> & { readonly smoothing?: number | undefined },
    private readonly entry: () => TagEntry,
    private readonly entryOf: (tag: string) => TagEntry | undefined,
  ) {
    this.#series = new Map([[entry().tag, new TagSeries()]]);
  }

  readonly view = $derived.by(() => this.deck.viewOf(this.entry().tag));
  readonly over = $derived.by(() => (this.view.over === null ? null : (this.entryOf(this.view.over) ?? null)));
  readonly entries = $derived.by((): readonly TagEntry[] => [
    this.entry(),
    ...this.view.also.flatMap((tag) => (tag === this.entry().tag ? [] : (this.entryOf(tag) ?? []))),
  ]);
  readonly axis = $derived.by((): Axis => (this.over ? "step" : this.context.settings.axis));
  readonly xScale = $derived.by((): ScaleKind => this.view.xScale ?? this.context.settings.xScale);
  readonly yScale = $derived.by((): ScaleKind => this.view.yScale ?? this.context.settings.yScale);
  readonly groups = $derived.by(() =>
    this.entries.length > 1 || this.over
      ? null
      : grouping(this.context.settings.groupBy, this.context.runs.columnGroups),
  );

  /** The x range that a person asked for. */
  readonly wishedX = $derived.by((): TypedRange | null => (this.isLinked ? this.deck.zoom : this.view.x));
  get isLinked(): boolean {
    return this.context.settings.linkedZoom && !this.over;
  }

  readonly error = $derived.by(
    () => this.entries.map(({ tag }) => this.#series.get(tag)?.source.error ?? "").find((error) => error !== "") ?? "",
  );

  /** The series as they are drawn; null while the first answer is awaited. */
  readonly set = $derived.by((): SeriesSet | null => {
    const sets = this.entries.flatMap(({ tag }) => this.#series.get(tag)?.set ?? []);
    const [first] = sets;
    if (!first) return null;
    if (this.over) {
      const over = this.#series.get(this.over.tag)?.set;
      if (!over) return null;
      return overMetric(this.#joined(sets), this.entries.length > 1 ? this.#joinedOver(over) : over);
    }
    const joined = this.#joined(sets);
    return this.groups
      ? bandSet(joined, shownIn(joined, this.isShownRun), this.groups.groupOf, this.context.settings.groupBand)
      : joined;
  });

  #joined(sets: readonly SeriesSet[]): SeriesSet {
    if (this.entries.length === 1) return sets[0]!;
    return joinSets(
      this.entries.flatMap(({ tag }) => {
        const set = this.#series.get(tag)?.set;
        return set && set.unit === this.axis ? [named(set, tag, (run) => this.context.runs.styleOf(run).label)] : [];
      }),
    );
  }

  #joinedOver(over: SeriesSet): SeriesSet {
    return joinSets(this.entries.map(({ tag }) => named(over, tag, (run) => run)));
  }

  readonly #shownRuns = $derived.by(() => new Set(this.context.runs.shown));
  readonly isShownRun = $derived.by(() => {
    const shown = this.#shownRuns;
    return (key: string) => shown.has(runOfKey(key));
  });
  readonly isShown = $derived.by(() => (this.groups ? () => true : this.isShownRun));
  readonly shown = $derived.by(() => (this.set ? shownIn(this.set, this.isShown) : []));

  readonly styleOf = $derived.by((): ((key: string) => SeriesStyle) => {
    const { runs } = this.context;
    if (this.groups) {
      const places = new Map((this.set ?? EMPTY_SET).series.map(({ key }, index) => [key, index]));
      const { placeOf = (key: string) => places.get(key) ?? 0 } = this.groups;
      return (key) => paletteStyle(placeOf(key));
    }
    if (this.entries.length === 1) return (key) => runs.styleOf(key);
    const tags = this.entries.map(({ tag }) => tag);
    const alone = new Set(this.shown.map((index) => runOfKey(this.set!.series[index]!.key))).size === 1;
    return (key) => {
      const place = Math.max(0, tags.indexOf(tagOfKey(key) ?? ""));
      return alone ? paletteStyle(place) : { ...runs.styleOf(runOfKey(key)), dashed: place > 0 };
    };
  });

  readonly focus = $derived.by(() => {
    const run = this.context.runs.focused;
    if (run === null) return null;
    if (this.groups) return this.groups.groupOf(run);
    return this.set?.series.find(({ key }) => runOfKey(key) === run)?.key ?? null;
  });

  readonly limits = $derived.by((): Limits => {
    const { set, shown } = this;
    if (!set || (!this.wishedX && !this.view.y)) return NO_LIMITS;
    const scope = { set, shown };
    const xScale = scaleFor(this.xScale, scope, "x");
    const x = filled(this.wishedX, () => rangeX(scope, xScale, undefined));
    const shownX = x ?? rangeX(scope, xScale, undefined);
    const scale = scaleFor(this.yScale, scope, "y");
    const { clipOutliers } = this.context.settings;
    const y = filled(
      this.view.y,
      () => shownX && rangeY(scope, { x: shownX, scale, limits: undefined, clipOutliers, curvesOnly: false }),
    );
    return { x, y };
  });

  /** How many logged points are in view, how many there are, and how many of those in view a restart replaced. */
  readonly points = $derived.by(() => {
    let inView = 0;
    let stored = 0;
    let replaced = 0;
    for (const { tag } of this.entries) {
      const series = this.#series.get(tag);
      if (!series?.set) continue;
      const { set } = series;
      const block = series.source.loaded!.value;
      const { runs, columns } = block;
      const counts = rowColumn(block, "count")!;
      runs.forEach((run, index) => {
        if (this.#shownRuns.has(run)) stored += columns.stored![index]!;
      });
      const shown = shownIn(set, (run) => this.#shownRuns.has(run));
      const limits = this.over ? null : this.limits.x;
      inView += pointsWithin(set, shown, counts, limits);
      const lost = shown.filter((index) => set.series[index]!.replaced);
      if (lost.length > 0) replaced += pointsWithin(set, lost, counts, limits);
    }
    return { inView, stored, replaced };
  });
  readonly folded = $derived.by(() => !this.groups && this.shown.some((index) => this.set!.series[index]!.folded));

  readWindow(window: ChartWindow): void {
    this.pixels = window.widthPx;
  }

  /** Asks for what is not there yet. Run inside an effect. */
  ask(): void {
    if (this.pixels <= 0) return;
    const wanted = [...this.entries, ...(this.over ? [this.over] : [])];
    const missing = wanted.filter(({ tag }) => !this.#series.has(tag));
    if (missing.length > 0) {
      this.#series = new Map([...this.#series, ...missing.map(({ tag }) => [tag, new TagSeries()] as const)]);
      return; // and again at once, as that changed what this depends on
    }
    for (const entry of wanted) {
      const series = this.#series.get(entry.tag)!;
      series.source.load(this.#request(entry, series), this.context.revisionOf("scalars", entry.tag));
    }
  }

  #request(entry: TagEntry, series: TagSeries): SeriesRequest {
    const smoothing = this.deck.smoothing ?? this.context.settings.smoothing;
    // Groups and other metrics along x are made of the points that count.
    const attempts =
      this.context.settings.attempts === "marked" && (this.groups || this.over)
        ? "latest"
        : this.context.settings.attempts;
    const runs = entry.runs.filter((run) => this.#shownRuns.has(run));
    const columns = columnsFor({ axis: this.axis, smoothing, attempts, runs: runs.length });
    const needsBeginnings = columns.includes("wall_last");
    const range = this.over || (needsBeginnings && !series.knowsBeginnings(runs)) ? null : this.#rangeToRead(series);
    return {
      tag: entry.tag,
      runs: runs.length === entry.runs.length ? null : runs,
      axis: this.axis,
      range,
      smoothing,
      attempts,
      width: widthFor(readWidth(range, this.pixels), runs.length),
      columns: needsBeginnings && !range ? [...columns, "began"] : columns,
      compact: runs.length > MANY_RUNS,
      isSmall: runs.length <= FEW_RUNS,
    };
  }

  #rangeToRead({ source, set }: TagSeries): Range | null {
    const wished = this.wishedX;
    if (!wished || wished.from === null || wished.to === null) return null;
    const last =
      source.loaded?.request.axis === this.axis && set
        ? {
            range: source.loaded.request.range,
            folded: set.series.some(({ key, folded }) => folded && this.#shownRuns.has(key)),
          }
        : null;
    return rangeToRead({ from: wished.from, to: wished.to }, last);
  }

  retry(): void {
    for (const { source } of this.#series.values()) if (source.failure) source.retry();
  }

  close(): void {
    for (const { source } of this.#series.values()) source.close();
  }
}

const PALETTE = 24;
const DASHED_FROM = 12;

function paletteStyle(index: number): SeriesStyle {
  const place = index % PALETTE;
  return { token: `--run-${place + 1}`, dashed: place >= DASHED_FROM, live: false };
}

/** The side that nobody typed follows the data. */
function filled(typed: TypedRange | null, data: () => Range | null): Range | null {
  if (!typed) return null;
  if (typed.from !== null && typed.to !== null) return { from: typed.from, to: typed.to };
  const whole = data();
  if (!whole) return null;
  const found = { from: typed.from ?? whole.from, to: typed.to ?? whole.to };
  return found.from < found.to ? found : null;
}
