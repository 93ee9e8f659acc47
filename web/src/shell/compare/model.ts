/** What the comparison shows: which rows, which metric first, and how far runs are from the first one. */

import type { DiffAnswer, DiffMetric, DiffRow } from "../../data/run";
import { differenceOf, orderTags, type Difference } from "../run/tiles";

export const SECTION_TITLES: Readonly<Record<string, string>> = {
  config: "Config",
  command: "Command",
  code: "Code",
  packages: "Packages",
  environment: "Environment",
  hardware: "Hardware",
  run: "How it ran",
};

export const titleOf = (section: string): string => SECTION_TITLES[section] ?? section;

/** The rows of a section that a person asked for. */
export function rowsShown(
  rows: readonly DiffRow[],
  { isAll, find }: { readonly isAll: boolean; readonly find: string },
): DiffRow[] {
  const wanted = find.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (isAll || row.state !== "same") &&
      (wanted === "" ||
        `${row.key} ${row.values.map((value) => value ?? "").join(" ")}`.toLowerCase().includes(wanted)),
  );
}

export const changesOf = (rows: readonly DiffRow[]): number => rows.filter(({ state }) => state !== "same").length;

/** All digits, since runs may differ in the last; small numbers are written as elsewhere. */
export function cellText(value: DiffRow["values"][number]): string {
  if (value === null) return "";
  const isSmall = typeof value === "number" && value !== 0 && Math.abs(value) < 1e-3;
  return isSmall ? value.toExponential().replaceAll("-", "−") : String(value);
}

/** NaN and the infinities come as words. */
export const numberOf = (value: number | string | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** To the first run; null where one of the two has no value, and for the first itself. Goals that only a guess would tell give no verdict. */
export function toFirst(
  values: readonly (number | string | null)[],
  at: number,
  metric: DiffMetric,
): Difference | null {
  const [first, own] = [numberOf(values[0]), numberOf(values[at])];
  if (at === 0 || first === null || own === null) return null;
  return differenceOf(own, first, metric.is_result ? metric.goal : null);
}

/** The place of the best value, when there is one that is better than all others; −1 of none. */
export function bestAt(values: readonly (number | string | null)[], metric: DiffMetric): number {
  if (!metric.is_result) return -1;
  const { goal } = metric;
  const numbers = values.map((value) => numberOf(value));
  const finite = numbers.filter((value): value is number => value !== null && Number.isFinite(value));
  if (finite.length < 2) return -1;
  const best = goal === "min" ? Math.min(...finite) : Math.max(...finite);
  return finite.filter((value) => value === best).length > 1 ? -1 : numbers.indexOf(best);
}

/** The metric to draw before anybody chose one: of those that every run has, the one people look at first; a result that diverges before one that does not. */
export function tagToDraw({ metrics }: DiffAnswer, asked: string | undefined): DiffMetric | undefined {
  const ordered = orderMetrics(metrics);
  const shared = ordered.filter(({ final }) => final.every((value) => value !== null));
  const diverged = shared.find((metric) => metric.divergence !== null && metric.is_result);
  return metrics.find(({ tag }) => tag === asked) ?? diverged ?? shared[0] ?? ordered[0];
}

/** Names without the folders that all of them are in. */
export function shortLabels(labels: readonly string[]): string[] {
  const folders = labels.map((label) => label.split("/").slice(0, -1));
  let shared = 0;
  while (folders.length > 1 && folders.every((parts) => parts.length > shared && parts[shared] === folders[0]![shared]))
    shared += 1;
  return labels.map((label) => label.split("/").slice(shared).join("/"));
}

export function orderMetrics(metrics: readonly DiffMetric[]): DiffMetric[] {
  const byTag = new Map(metrics.map((metric) => [metric.tag, metric]));
  const first = orderTags(
    [...byTag.keys()],
    Object.fromEntries(metrics.flatMap(({ tag, goal, is_result }) => (is_result ? [[tag, goal]] : []))),
    [],
  ).map((tag) => byTag.get(tag)!);
  const seen = new Set(first);
  return [...first, ...metrics.filter((metric) => !seen.has(metric))];
}

const MAX_TIMES = 1000;

/** How far they diverge, in units of the noise. */
export function divergenceWords(
  { step, level }: { readonly step: number; readonly level: number | null },
  formatStep: (step: number) => string,
): string {
  if (level === null) return `from step ${formatStep(step)} on: one has no finite value any more`;
  const times = Math.abs(level);
  const amount = times > MAX_TIMES ? "more than 1,000" : times >= 10 ? String(Math.round(times)) : times.toFixed(1);
  return `from step ${formatStep(step)} on, by ${amount} times the noise`;
}

export type DiffLineKind = "" | "add" | "del" | "hunk" | "file";

export interface DiffLine {
  readonly kind: DiffLineKind;
  readonly text: string;
}

/** A unified diff line by line. Inside a hunk, "--- " and "+++ " are lines of the file like others. */
export function diffLines(text: string): DiffLine[] {
  let isInHunk = false;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line): DiffLine => {
      if (line.startsWith("diff --git ")) isInHunk = false;
      if (line.startsWith("@@")) {
        isInHunk = true;
        return { kind: "hunk", text: line };
      }
      if (!isInHunk) return { kind: "file", text: line };
      return { kind: line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "", text: line };
    });
}
