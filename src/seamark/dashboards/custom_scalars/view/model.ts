/** Layouts: charts of several tags in categories. In the logs, on the server and in files they have one form, TensorBoard's. */

export interface MarginSeries {
  readonly value: string;
  readonly lower: string;
  readonly upper: string;
}

interface Titled {
  readonly title: string;
}
export interface LinesChart extends Titled {
  readonly kind: "lines";
  /** Regular expressions, as Python has them. */
  readonly patterns: readonly string[];
}
export interface MarginChart extends Titled {
  readonly kind: "margin";
  /** Exact tags. */
  readonly series: readonly MarginSeries[];
}
export interface EmptyChart extends Titled {
  readonly kind: "none";
}
export type Chart = LinesChart | MarginChart | EmptyChart;

export interface Category {
  readonly title: string;
  readonly charts: readonly Chart[];
  readonly closed: boolean;
}
export type Layout = readonly Category[];

type Dictionary = Readonly<Record<string, unknown>>;
const isDictionary = (value: unknown): value is Dictionary =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): string[] => list(value).filter((entry) => typeof entry === "string");

/** TensorBoard's form, or the dictionary that `add_custom_scalars` takes. Throws a sentence when it is neither. */
export function parseLayout(given: unknown): Layout {
  if (!isDictionary(given)) throw new Error("not a layout: want an object with a list “category”");
  if (Array.isArray(given.category)) return joined(given.category.filter(isDictionary).map(category));
  const charts = Object.entries(given).filter(([, entry]) => isDictionary(entry)) as [string, Dictionary][];
  if (charts.length === 0) throw new Error("not a layout: it has no list “category”, and no category with charts");
  return joined(
    charts.map(([title, entries]) => ({
      title,
      closed: false,
      charts: Object.entries(entries).map(([name, what]) => asLogged(name, what)),
    })),
  );
}

function category(given: Dictionary): Category {
  return {
    title: text(given.title),
    closed: given.closed === true,
    charts: list(given.chart).filter(isDictionary).map(chart),
  };
}

function chart(given: Dictionary): Chart {
  const title = text(given.title);
  if (isDictionary(given.multiline)) return { kind: "lines", title, patterns: texts(given.multiline.tag) };
  if (!isDictionary(given.margin)) return { kind: "none", title };
  const series = list(given.margin.series)
    .filter(isDictionary)
    .map(({ value, lower, upper }) => ({ value: text(value), lower: text(lower), upper: text(upper) }));
  return { kind: "margin", title, series };
}

/** ["Multiline", [tags]] or ["Margin", [value, lower, upper]]. */
function asLogged(title: string, what: unknown): Chart {
  const [kind, tags] = list(what);
  if (kind === "Multiline") return { kind: "lines", title, patterns: texts(tags) };
  if (kind !== "Margin") return { kind: "none", title };
  const [value = "", lower = "", upper = ""] = texts(tags);
  return { kind: "margin", title, series: [{ value, lower, upper }] };
}

/** Categories of one title are one; its charts keep their order. */
function joined(categories: readonly Category[]): Layout {
  const byTitle = new Map<string, Category>();
  for (const next of categories) {
    const known = byTitle.get(next.title);
    byTitle.set(next.title, known ? { ...known, charts: [...known.charts, ...next.charts] } : next);
  }
  return [...byTitle.values()];
}

export function layoutJson(layout: Layout): Dictionary {
  return {
    version: 0,
    category: layout.map(({ title, closed, charts }) => ({
      title,
      closed,
      chart: charts.map((entry) => ({
        title: entry.title,
        ...(entry.kind === "lines"
          ? { multiline: { tag: entry.patterns } }
          : entry.kind === "margin"
            ? { margin: { series: entry.series } }
            : {}),
      })),
    })),
  };
}

/** A pattern that finds this tag and no other. */
export const patternOf = (tag: string): string => `^${tag.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;

/** The one tag that a pattern stands for, or null when it is more than that. */
export function tagOf(pattern: string): string | null {
  const found = /^\^((?:[^.*+?^${}()|[\]\\]|\\[.*+?^${}()|[\]\\])*)\$$/su.exec(pattern);
  return found ? found[1]!.replace(/\\(.)/gsu, "$1") : null;
}

/** Where a chart is. */
export interface ChartPosition {
  readonly category: number;
  readonly chart: number;
}

export interface Card {
  /** The same after a reload: it is in addresses. */
  readonly key: string;
  /** Its title: what it has instead of a tag. */
  readonly tag: string;
  readonly runs: readonly string[];
  readonly position: ChartPosition;
  readonly chart: Chart;
}

export interface Section {
  readonly key: string;
  readonly title: string;
  readonly closed: boolean;
  readonly cards: readonly Card[];
}

export function sectionsOf(layout: Layout): Section[] {
  return layout.map(({ title, closed, charts }, at) => {
    const seen = new Map<string, number>();
    const cards = charts.map((entry, index) => {
      const again = (seen.get(entry.title) ?? 0) + 1;
      seen.set(entry.title, again);
      return {
        key: JSON.stringify([title, entry.title, ...(again > 1 ? [again] : [])]),
        tag: entry.title || "Untitled",
        runs: [],
        position: { category: at, chart: index },
        chart: entry,
      };
    });
    return { key: title, title: title || "Charts", closed, cards };
  });
}

export const patternsOf = (layout: Layout): string[] => [
  ...new Set(layout.flatMap(({ charts }) => charts.flatMap((entry) => (entry.kind === "lines" ? entry.patterns : [])))),
];

/** A name that is not taken yet. */
export function freeName(preferred: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  if (!names.has(preferred)) return preferred;
  let number = 2;
  while (names.has(`${preferred} ${number}`)) number += 1;
  return `${preferred} ${number}`;
}
