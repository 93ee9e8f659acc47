/** The data of a LineChart: series of tags, as the server sends them for its width, and lines that a view computed. */

import { smoothingOf } from "../base/smoothing";
import { NO_LIMITS, type Limits } from "../chart/gesture";
import { EMPTY_SET, joinSets, type SeriesSet, type XUnit } from "../chart/series";
import type { SeriesStyle } from "../chart/spec";
import { columnsFor, MANY_RUNS, widthFor, type SeriesRequest } from "../data/series";
import type { DashboardContext } from "./plugin";
import { TagSeries as TagSource } from "./scalar_card/tag_series.svelte";
import { setOfLines } from "./computed_lines";
import type { Axis, ChartSpec, Line, TagSeries } from "./view_types";

/** A request for the series of this many runs takes longer than its response: several are sent as one. */
const FEW_RUNS = 8;
const PALETTE_SIZE = 24;

const isTagSeries = (entry: TagSeries | Line): entry is TagSeries => "tag" in entry;

/** A series of the chart: whose it is and how it is drawn. */
interface Member {
  readonly run: string | undefined;
  readonly name: string;
  readonly style: SeriesStyle;
}

export class LineChartModel {
  /** Of the plot, in device pixels. */
  widthPx = $state(0);
  #zoom = $state.raw<Limits>(NO_LIMITS);
  #retries = $state(0);
  /** Not created inside a derived value, which would not notice when one changes. */
  #sources = $state.raw<ReadonlyMap<string, TagSource>>(new Map());

  constructor(
    private readonly context: DashboardContext,
    private readonly spec: () => ChartSpec,
  ) {}

  readonly #tags = $derived.by(() => this.spec().series.filter(isTagSeries));
  readonly #lines = $derived.by(() => this.spec().series.filter((entry): entry is Line => !isTagSeries(entry)));
  readonly unit = $derived.by(
    (): XUnit => this.spec().axis ?? (this.#lines.some(({ wall }) => !wall) ? "step" : this.context.settings.axis),
  );
  readonly limits = $derived.by((): Limits => this.spec().limits ?? this.#zoom);
  /** Its x is that of the other charts on the page. */
  readonly sharesCursor = $derived.by(() => this.unit === this.context.settings.axis);

  readonly error = $derived.by(
    () => this.#tags.map(({ tag }) => this.#sources.get(tag)?.source.error ?? "").find((error) => error !== "") ?? "",
  );

  /** The series as they are drawn; null until there is a first response. */
  readonly set = $derived.by((): SeriesSet | null => {
    const ofTags = this.#tags.map(({ tag }) => {
      const set = this.#sources.get(tag)?.set;
      return set?.unit === this.unit ? keyedBy(set, (run) => this.#keyOf(run, tag)) : null;
    });
    const sets = ofTags.filter((set) => set !== null);
    if (this.#lines.length > 0) sets.push(setOfLines(this.#lines, this.unit));
    return sets.length > 0 ? joinSets(sets) : this.#tags.length > 0 ? null : EMPTY_SET;
  });

  readonly #members = $derived.by((): ReadonlyMap<string, Member> => {
    const { runs } = this.context;
    const known = new Set(this.context.catalogue.runs.map(({ name }) => name));
    const members = new Map<string, Member>();
    this.#tags.forEach((entry, index) => {
      for (const run of this.#runsOf(entry)) {
        const { label, ...style } = runs.styleOf(run);
        const name = this.#isSingleTag ? label : `${label} · ${entry.tag}`;
        members.set(this.#keyOf(run, entry.tag), { run, name, style: index > 0 ? { ...style, dashed: true } : style });
      }
    });
    this.#lines.forEach((line, index) => {
      const run = line.run ?? (known.has(line.key) ? line.key : undefined);
      const ofRun = run === undefined ? undefined : runs.styleOf(run);
      const token = line.colour ?? ofRun?.token ?? `--run-${(index % PALETTE_SIZE) + 1}`;
      const style = { token, dashed: line.dashed ?? ofRun?.dashed ?? false, live: ofRun?.live ?? false };
      members.set(line.key, { run, name: line.name ?? ofRun?.label ?? line.key, style });
    });
    return members;
  });

  readonly isShown = $derived.by(() => {
    const members = this.#members;
    const shown = new Set(this.context.runs.shown);
    return (key: string): boolean => {
      const member = members.get(key);
      return member !== undefined && (member.run === undefined || shown.has(member.run));
    };
  });
  readonly styleOf = $derived.by(() => {
    const members = this.#members;
    return (key: string): SeriesStyle => members.get(key)?.style ?? { token: "--run-1", dashed: false, live: false };
  });
  readonly nameOf = (key: string): string => this.#members.get(key)?.name ?? key;
  readonly runOf = (key: string): string | undefined => this.#members.get(key)?.run;

  readonly focus = $derived.by((): readonly string[] => {
    const { runs } = this.context;
    if (runs.focused === null) return [];
    return [...this.#members]
      .filter(([, { run }]) => run !== undefined && runs.rowOf(run) === runs.focused)
      .map(([key]) => key);
  });

  get #isSingleTag(): boolean {
    return this.#tags.length === 1;
  }

  #keyOf(run: string, tag: string): string {
    return this.#isSingleTag && this.#lines.length === 0 ? run : `${run}\n${tag}`;
  }

  #runsOf({ tag, runs }: TagSeries): readonly string[] {
    const having = this.context.catalogue.tags("scalars").find((entry) => entry.tag === tag)?.runs ?? [];
    return having.filter((run) => this.context.runs.isShown(run) && (!runs || runs.includes(run)));
  }

  /** Requests what is not there yet. Call it in an effect. */
  read(): void {
    void this.#retries;
    if (this.widthPx <= 0 || this.unit === "metric") return;
    const missing = this.#tags.filter(({ tag }) => !this.#sources.has(tag));
    if (missing.length > 0) {
      this.#sources = new Map([...this.#sources, ...missing.map(({ tag }) => [tag, new TagSource()] as const)]);
      return; // the effect runs again: it depends on the sources
    }
    for (const entry of this.#tags) {
      const source = this.#sources.get(entry.tag)!;
      source.source.load(this.#request(entry, source, this.unit), this.context.revisionOf("scalars", entry.tag));
    }
  }

  #request(entry: TagSeries, source: TagSource, axis: Axis): SeriesRequest {
    const { attempts, smoothing: shared } = this.context.settings;
    const smoothing = smoothingOf(this.spec().smoothing ?? shared, this.limits.x);
    const runs = this.#runsOf(entry);
    const columns = columnsFor({ axis, smoothing, attempts, runs: runs.length });
    const needsBeginnings = columns.includes("wall_last");
    const range = needsBeginnings && !source.knowsBeginnings(runs) ? null : this.limits.x;
    return {
      tag: entry.tag,
      runs,
      axis,
      range,
      smoothing,
      attempts,
      width: widthFor(this.widthPx, runs.length),
      columns: needsBeginnings && !range ? [...columns, "wall"] : columns,
      compact: runs.length > MANY_RUNS,
      isSmall: runs.length <= FEW_RUNS,
    };
  }

  zoom(limits: Limits): void {
    this.#zoom = limits;
    this.spec().onZoom?.(limits);
  }

  retry(): void {
    this.#retries += 1;
  }

  close(): void {
    for (const { source } of this.#sources.values()) source.close();
  }
}

const keyedBy = (set: SeriesSet, keyOf: (run: string) => string): SeriesSet => ({
  ...set,
  series: set.series.map((info) => ({ ...info, key: keyOf(info.key) })),
});
