/** Groups of runs as rows: the values they share, how many they are, and what their metrics come to. */

import { parseColumnId, titleOf, typeOf } from "../../../data/column_id";
import type { Cell, Group, GroupMetric } from "../../../data/table";
import { formatNumber, formatValue } from "../../../base/format";
import { cellWords } from "../../../ui/grid/cell";
import { kindOf } from "../../../base/query_text";
import type { GridColumn } from "../../../ui/grid/grid";
import type { LocalRow } from "../../../ui/grid/local";
import { groupLabel } from "../column_groups";
import type { Columns } from "./view";

export const PARTS = ["mean", "interval", "median", "iqm", "best", "worst", "against"] as const;
export type Part = (typeof PARTS)[number];

const PART_TITLES: Readonly<Record<Part, string>> = {
  mean: "mean ± std",
  interval: "95 % interval",
  median: "median",
  iqm: "IQM",
  best: "best",
  worst: "worst",
  against: "vs baseline",
};
const PART_HINTS: Readonly<Record<Part, string>> = {
  mean: "Mean ± standard deviation over the group's runs",
  interval: "Bootstrap 95 % interval of the mean",
  median: "Median",
  iqm: "Interquartile mean: the mean of the middle half",
  best: "The best run's value",
  worst: "The worst run's value",
  against: "Difference of the means, Welch's p value and the bootstrap 95 % interval of the difference",
};
const PART_WIDTHS: Readonly<Record<Part, number>> = {
  mean: 148,
  interval: 148,
  median: 92,
  iqm: 92,
  best: 92,
  worst: 92,
  against: 220,
};

export const partId = (metric: string, part: Part): string => `${part}:${metric}`;
export function readPartId(id: string): { part: Part; metric: string } | null {
  const part = PARTS.find((known) => id.startsWith(`${known}:`));
  return part ? { part, metric: id.slice(part.length + 1) } : null;
}

export const keyOf = (group: Pick<Group, "key">): string => JSON.stringify(group.key);

export function labelOf(columns: Columns, by: readonly string[], key: readonly Cell[]): string {
  const types = by.map((id) => typeOf(columns, id));
  return groupLabel(
    by,
    key.map((value, index) => cellWords(value, types[index]!)),
    by.map((id, index) => types[index] === "text" && parseColumnId(id).source !== "metric"),
  );
}

/** Metrics whose values can be averaged: a mean of steps or counts says nothing about a run. */
export const measures = (ids: readonly string[]): string[] =>
  ids.filter((id) => {
    const { source, stat } = parseColumnId(id);
    return source === "metric" && stat !== null && stat !== "count" && !stat.endsWith("_step");
  });

export function groupColumns(
  columns: Columns,
  {
    by,
    metrics,
    hasBaseline,
    goals,
  }: {
    readonly by: readonly string[];
    readonly metrics: readonly string[];
    readonly hasBaseline: boolean;
    readonly goals: (id: string) => "min" | "max";
  },
): { first: GridColumn; others: GridColumn[] } {
  const keys = by.map((id): GridColumn => ({ id, title: titleOf(id), type: typeOf(columns, id), widthPx: 120 }));
  const parts = PARTS.filter((part) => part !== "against" || hasBaseline);
  const measured = metrics.flatMap((metric) =>
    parts.map((part): GridColumn => ({
      id: partId(metric, part),
      title: `${titleOf(metric)} · ${PART_TITLES[part]}`,
      hint: `${titleOf(metric)}\n${PART_HINTS[part]}`,
      type: "number",
      widthPx: Math.max(
        PART_WIDTHS[part],
        Math.min(240, 30 + 6.2 * (titleOf(metric).length + PART_TITLES[part].length + 3)),
      ),
      look: part === "mean" ? "colour" : "plain",
      goal: goals(metric),
    })),
  );
  return {
    first: { ...keys[0]!, widthPx: 220 },
    others: [...keys.slice(1), { id: "n", title: "runs", type: "number", widthPx: 64, look: "bar" }, ...measured],
  };
}

export function groupRows(groups: readonly Group[], by: readonly string[], metrics: readonly string[]): LocalRow[] {
  return groups.map((group) => {
    const cells: Record<string, Cell> = { n: group.runs.length };
    by.forEach((id, index) => (cells[id] = group.key[index] ?? null));
    for (const metric of metrics)
      for (const part of PARTS) cells[partId(metric, part)] = partValue(group.metrics[metric], part);
    return { key: keyOf(group), cells };
  });
}

/** What a part is ordered by. */
function partValue(metric: GroupMetric | undefined, part: Part): number | null {
  if (!metric) return null;
  if (part === "interval") return metric.low;
  if (part === "best" || part === "worst") return metric[part]?.value ?? null;
  if (part === "against") return metric.against?.difference ?? null;
  return metric[part];
}

/** Nothing for what is not known. */
export function partWords(metric: GroupMetric | undefined, part: Part): string {
  if (!metric || metric.n === 0) return "";
  const number = (value: number | null | undefined): string =>
    value === null || value === undefined ? "" : formatValue(value);
  if (part === "mean" && metric.mean !== null)
    return metric.std === null ? number(metric.mean) : `${number(metric.mean)} ± ${deviationWords(metric.std)}`;
  if (part === "interval") return metric.low === null ? "" : `${number(metric.low)} to ${number(metric.high)}`;
  if (part !== "against") return number(partValue(metric, part));
  const { against } = metric;
  if (!against || against.difference === null) return "";
  const sign = against.difference > 0 ? "+" : "";
  return `${sign}${number(against.difference)}${against.welch_p === null ? "" : `, p ${probability(against.welch_p)}`}`;
}

/** Two digits, "0.030" too: deviations stand below each other. */
function deviationWords(value: number): string {
  const words = formatNumber(+value.toPrecision(2));
  return /^0\.0*[1-9]$/.test(words) ? `${words}0` : words;
}

export const probability = (p: number): string => (p < 0.001 ? "< 0.001" : `= ${p.toPrecision(2)}`);

const LEVEL = 0.05;
/** Beyond chance by both tests, and by which side; "" when not. */
export function verdictOf(metric: GroupMetric | undefined, goal: "min" | "max"): "better" | "worse" | "" {
  const against = metric?.against;
  if (!against || against.difference === null || against.welch_p === null || !(against.welch_p < LEVEL)) return "";
  if (
    against.bootstrap_low !== null &&
    against.bootstrap_high !== null &&
    against.bootstrap_low <= 0 &&
    against.bootstrap_high >= 0
  )
    return "";
  return against.difference < 0 === (goal === "min") ? "better" : "worse";
}

/** The query that finds a group's runs again, in the box's own language. */
export function groupQuery(
  query: string,
  by: readonly string[],
  key: readonly Cell[],
  columns: Columns = new Map(),
): string {
  const parts = by.map((id, index) => {
    const { source, name, stat } = parseColumnId(id);
    const left =
      source === "metric"
        ? `metric[${JSON.stringify(name)}].${stat ?? "last"}`
        : source === "run"
          ? name
          : `${source}[${JSON.stringify(name)}]`;
    const value = key[index] ?? null;
    // NaN and the infinities come as words.
    return hasValue(left, typeof value === "string" && typeOf(columns, id) === "number" ? Number(value) : value);
  });
  const before = asExpression(query);
  return [...(before ? [`(${before})`] : []), ...parts].join(" and ");
}

function hasValue(left: string, value: Cell): string {
  if (value === null) return `${left} is None`;
  if (typeof value === "boolean") return `${left} == ${value ? "True" : "False"}`;
  if (typeof value === "number" && Number.isNaN(value)) return `isnan(${left})`;
  // Python reads 1e999 as infinity.
  if (value === Infinity || value === -Infinity) return `${left} == ${value > 0 ? "" : "-"}1e999`;
  if (typeof value !== "object") return `${left} == ${JSON.stringify(value)}`;
  return [...value.map((tag) => `tag(${JSON.stringify(tag)})`), `len(${left}) == ${value.length}`].join(" and ");
}

/** A name or a pattern cannot be joined with others by "and" as it stands. */
function asExpression(query: string): string {
  const text = query.trim();
  const kind = kindOf(text);
  if (kind === "empty" || kind === "expression") return text;
  if (kind === "name") {
    const part = JSON.stringify(text.toLowerCase());
    return `${part} in lower(name) or ${part} in lower(label)`;
  }
  const pattern = JSON.stringify(
    `(?i)${text.length > 2 && text.startsWith("/") && text.endsWith("/") ? text.slice(1, -1) : text}`,
  );
  return `matches(name, ${pattern}) or matches(label, ${pattern})`;
}
