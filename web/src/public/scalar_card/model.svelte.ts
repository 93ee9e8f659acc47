/** One card's data: what it requests for what is shown, and the series it draws from the responses. */

import { smoothingOf, type Smoothing } from "../../base/smoothing";
import { pointsWithin } from "../../chart/domain";
import { NO_LIMITS, type Limits } from "../../chart/gesture";
import type { Range, ScaleKind } from "../../chart/scale";
import { joinSets, type SeriesSet } from "../../chart/series";
import { rangeX, rangeY, scaleFor, shownIn, type DataWindow, type SeriesStyle } from "../../chart/spec";
import { underlayOf } from "../../chart/style";
import type { Axis, TagEntry } from "../../data/api";
import { rowColumn } from "../../data/columns";
import { columnsFor, MANY_RUNS, weightsOf, widthFor, type SeriesRequest } from "../../data/series";
import type { DashboardContext } from "../plugin";
import { BANDS, bandSet, groupingOf } from "./bands";
import type { TypedRange } from "./card_views";
import type { ScalarChartState } from "./chart_state.svelte";
import { named, overMetric, runOfKey, tagOfKey } from "./combine";
import { rangeToRead, readWidth } from "./reading";
import { TagSeries } from "./tag_series.svelte";

/** Up to so many runs, the request takes a browser longer than the response. */
const FEW_RUNS = 8;

export class ScalarCardModel {
  /** The width of the plot in device pixels, as the chart reports it. */
  pixels = $state(0);
  retries = $state(0);
  /** Never created inside a derived value, which would not be computed again when it changes. */
  #series = $state.raw<ReadonlyMap<string, TagSeries>>(new Map());

  constructor(
    private readonly context: DashboardContext,
    /** `smoothing` replaces the setting, for charts that show values as logged. */
    private readonly charts: Pick<ScalarChartState, "viewOf" | "zoom" | "models"> & {
      readonly smoothing?: Smoothing | undefined;
    },
    private readonly entry: () => TagEntry,
    private readonly entryOf: (tag: string) => TagEntry | undefined,
  ) {
    this.#series = new Map([[entry().tag, new TagSeries()]]);
    charts.models.add(this);
  }

  readonly view = $derived.by(() => this.charts.viewOf(this.entry().tag));
  readonly over = $derived.by(() => (this.view.over === null ? null : (this.entryOf(this.view.over) ?? null)));
  readonly entries = $derived.by((): readonly TagEntry[] => [
    this.entry(),
    ...this.view.also.flatMap((tag) => (tag === this.entry().tag ? [] : (this.entryOf(tag) ?? []))),
  ]);
  readonly axis = $derived.by((): Axis => (this.over ? "step" : this.context.settings.axis));
  readonly xScale = $derived.by((): ScaleKind => this.view.xScale ?? this.context.settings.xScale);
  readonly yScale = $derived.by((): ScaleKind => this.view.yScale ?? this.context.settings.yScale);
  readonly groups = $derived.by(() => (this.entries.length > 1 || this.over ? null : groupingOf(this.context)));
  /** What the band around the line of a group is, in words. */
  readonly bandWords = $derived.by(() => BANDS.find(({ band }) => band === this.context.settings.groupBand)!.words);

  /** The x range that a person chose. */
  readonly xRange = $derived.by((): TypedRange | null => (this.isLinked ? this.charts.zoom : this.view.x));
  get isLinked(): boolean {
    return this.context.settings.linkedZoom && !this.over;
  }

  readonly error = $derived.by(
    () => this.entries.map(({ tag }) => this.#series.get(tag)?.source.error ?? "").find((error) => error !== "") ?? "",
  );

  /** The series as they are drawn; null until the first response. */
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
    if (this.entries.length === 1) return labelled(sets[0]!, (run) => this.context.runs.styleOf(run).label);
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

  /** The tags have one point of each shown run at most, wherever the axis begins and ends. */
  readonly #hasSinglePoints = $derived.by(() =>
    this.entries.every(({ tag }) => {
      const block = this.#series.get(tag)?.source.loaded?.value;
      return block?.runs.every((run, index) => !this.#shownRuns.has(run) || block.columns.stored![index]! <= 1);
    }),
  );
  /** The series in the order of the list of runs, where each is one point and a bar says more than a dot; else null. */
  readonly bars = $derived.by((): readonly number[] | null => {
    const { set, shown } = this;
    if (!set || this.over || this.groups || this.error || shown.length === 0 || !this.#hasSinglePoints) return null;
    const places = new Map(this.context.runs.shown.map((run, place) => [run, place]));
    const placeOf = (series: number): number => places.get(runOfKey(set.series[series]!.key)) ?? 0;
    return [...shown].sort((a, b) => placeOf(a) - placeOf(b));
  });

  readonly styleOf = $derived.by((): ((key: string) => SeriesStyle) => {
    const { runs } = this.context;
    if (this.groups) {
      const { placeOf, groupOf } = this.groups;
      if (placeOf) return (key) => paletteStyle(placeOf(key));
      // That of its first run in the list: the list gives all other colours to other runs.
      const first = new Map(runs.shown.toReversed().map((run) => [groupOf(run), run]));
      return (key) => ({ ...runs.styleOf(first.get(key) ?? key), live: false });
    }
    if (this.entries.length === 1) return (key) => runs.styleOf(key);
    const tags = this.entries.map(({ tag }) => tag);
    const isSingleRun = new Set(this.shown.map((index) => runOfKey(this.set!.series[index]!.key))).size === 1;
    return (key) => {
      const index = Math.max(0, tags.indexOf(tagOfKey(key) ?? ""));
      return isSingleRun ? paletteStyle(index) : { ...runs.styleOf(runOfKey(key)), dashed: index > 0 };
    };
  });

  /** The keys of the lines that are the focused run's. */
  readonly focus = $derived.by((): readonly string[] => {
    const { runs } = this.context;
    const { focused } = runs;
    if (focused === null || !this.set) return [];
    const { groups } = this;
    if (groups) return runs.shown.filter((run) => runs.rowOf(run) === focused).map(groups.groupOf);
    return [...new Set(this.set.series.map(({ key }) => key))].filter((key) => runs.rowOf(runOfKey(key)) === focused);
  });

  readonly limits = $derived.by((): Limits => {
    const { set, shown } = this;
    if (!set || (!this.xRange && !this.view.y)) return NO_LIMITS;
    const scope = { set, shown };
    const xScale = scaleFor(this.xScale, scope, "x");
    const x = completeRange(this.xRange, () => rangeX(scope, xScale, undefined));
    const shownX = x ?? rangeX(scope, xScale, undefined);
    const scale = scaleFor(this.yScale, scope, "y");
    const { clipOutliers } = this.context.settings;
    const y = completeRange(
      this.view.y,
      () => shownX && rangeY(scope, { x: shownX, scale, limits: undefined, clipOutliers, curvesOnly: false }).range,
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
      runs.forEach((run, index) => {
        if (this.#shownRuns.has(run)) stored += columns.stored![index]!;
      });
      const shown = shownIn(set, (run) => this.#shownRuns.has(run));
      const limits = this.over || this.bars ? null : this.limits.x;
      const counts = limits && rowColumn(block, "count")!;
      for (const index of shown) {
        const { points, replaced: isReplaced } = set.series[index]!;
        const count = limits ? pointsWithin(set, index, counts!, limits) : points;
        inView += count;
        if (isReplaced) replaced += count;
      }
    }
    return { inView, stored, replaced };
  });
  /** Of the moving averages, from each point to the next. */
  get weights(): number[] {
    return this.entries.flatMap(({ tag }) =>
      weightsOf(this.#series.get(tag)?.source.loaded?.value, (run) => this.#shownRuns.has(run)),
    );
  }

  readonly isDownsampled = $derived.by(
    () => !this.groups && this.shown.some((index) => this.set!.series[index]!.isDownsampled),
  );

  /** What a row of several points is drawn as; empty where a curve is smoothed over all of them. */
  readonly bucketWords = $derived.by(() => {
    const { set, shown, focus } = this;
    if (!set || !this.isDownsampled) return "";
    const highlight = shown.filter((index) => focus.includes(set.series[index]!.key));
    if (set.low && underlayOf({ set, shown }, highlight).length > 0) return "min–max";
    return set.curve === set.raw && !set.rawLeftOut ? "averaged" : "";
  });

  readWindow(window: DataWindow): void {
    this.pixels = window.widthPx;
  }

  /** Requests what is missing. Call it inside an effect. */
  request(): void {
    if (this.pixels <= 0) return;
    void this.retries;
    const needed = [...this.entries, ...(this.over ? [this.over] : [])];
    const missing = needed.filter(({ tag }) => !this.#series.has(tag));
    if (missing.length > 0) {
      this.#series = new Map([...this.#series, ...missing.map(({ tag }) => [tag, new TagSeries()] as const)]);
      return; // the effect runs again, since its dependency changed
    }
    for (const entry of needed) {
      const series = this.#series.get(entry.tag)!;
      series.source.load(this.#requestFor(entry, series), this.context.revisionOf("scalars", entry.tag));
    }
  }

  #requestFor(entry: TagEntry, series: TagSeries): SeriesRequest {
    const smoothing = smoothingOf(
      this.charts.smoothing ?? this.context.settings.smoothing,
      this.over ? null : this.limits.x,
    );
    // Groups and other metrics along x are computed from the points that count.
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
    const chosen = this.#hasSinglePoints ? null : this.xRange;
    if (!chosen || chosen.from === null || chosen.to === null) return null;
    const last =
      source.loaded?.request.axis === this.axis && set
        ? {
            range: source.loaded.request.range,
            isDownsampled: set.series.some(({ key, isDownsampled }) => isDownsampled && this.#shownRuns.has(key)),
          }
        : null;
    return rangeToRead({ from: chosen.from, to: chosen.to }, last);
  }

  retry(): void {
    for (const { source } of this.#series.values()) if (source.failure) source.retry();
  }

  close(): void {
    this.charts.models.delete(this);
    for (const { source } of this.#series.values()) source.close();
  }
}

/** The same set, unless a run has a name of its own. */
function labelled(set: SeriesSet, labelOf: (run: string) => string): SeriesSet {
  const isRenamed = set.series.some(({ key, name }) => labelOf(key) !== name);
  return isRenamed ? { ...set, series: set.series.map((info) => ({ ...info, name: labelOf(info.key) })) } : set;
}

const PALETTE = 24;
const DASHED_FROM = 12;

function paletteStyle(index: number): SeriesStyle {
  const colour = index % PALETTE;
  return { token: `--run-${colour + 1}`, dashed: colour >= DASHED_FROM, live: false };
}

/** A side without a limit follows the data. */
function completeRange(typed: TypedRange | null, data: () => Range | null): Range | null {
  if (!typed) return null;
  if (typed.from !== null && typed.to !== null) return { from: typed.from, to: typed.to };
  const whole = data();
  if (!whole) return null;
  const found = { from: typed.from ?? whole.from, to: typed.to ?? whole.to };
  return found.from < found.to ? found : null;
}
