/** Precision over recall: the server's responses, the chosen steps and threshold, and the cards of a tag. */

import type { SeriesSet } from "$public/charts";
import { sortedLists, type TagEntry } from "$public/core";

/** One entry per threshold; null if it is not a number. */
type Numbers = readonly (number | null)[];

export interface Curve {
  readonly thresholds: readonly number[];
  readonly true_positives: Numbers;
  readonly false_positives: Numbers;
  readonly true_negatives: Numbers;
  readonly false_negatives: Numbers;
  readonly precision: Numbers;
  readonly recall: Numbers;
  readonly f1: Numbers;
  /** From this index on nothing is classified as positive, and precision is undefined. */
  readonly end: number;
  readonly average_precision: number | null;
  readonly area: number | null;
}

export type CurveResponse = Curve | { readonly error: string };
export const isCurve = (response: CurveResponse | undefined): response is Curve =>
  response !== undefined && !("error" in response);

export interface Steps {
  readonly index: readonly number[];
  readonly steps: readonly number[];
  readonly walls: readonly number[];
  /** Position in `steps`, average precision, area. */
  readonly areas: readonly (readonly [number, number | null, number | null])[];
  readonly computed: number;
}

export const stepsAddress = (tag: string, runs: readonly string[]): string =>
  `api/dashboards/pr_curves/steps?${new URLSearchParams([["tag", tag], ...runs.map((run) => ["run", run])])}`;

export const curvesAddress = (
  tag: string,
  wanted: readonly { readonly run: string; readonly index: number }[],
): string =>
  `api/dashboards/pr_curves/curves?${new URLSearchParams([
    ["tag", tag],
    ...wanted.flatMap(({ run, index }) => [
      ["run", run],
      ["index", String(index)],
    ]),
  ])}`;

/** The chosen steps: one for all runs, one for each, or the newest. */
export interface StepChoice {
  readonly linked: number | null;
  readonly each: Readonly<Record<string, number>>;
}

export function indexOf(steps: readonly number[], run: string, { linked, each }: StepChoice): number {
  const wanted = linked ?? each[run];
  return wanted === undefined ? steps.length - 1 : sortedLists.nearest(steps, wanted);
}

/** A number for all runs, or a number for each. Addresses come from anywhere: what is not understood is left out. */
export function parseSteps(field: unknown): StepChoice {
  if (typeof field === "number" && Number.isFinite(field)) return { linked: field, each: {} };
  const each = Object.entries(typeof field === "object" && field !== null ? field : {});
  return { linked: null, each: Object.fromEntries(each.filter(([, step]) => Number.isFinite(step))) };
}

/** The index of the logged threshold that is sortedLists.nearest. */
export function thresholdIndex({ thresholds }: Curve, threshold: number): number {
  return sortedLists.nearest(thresholds, threshold);
}

export interface Best {
  readonly at: number;
  readonly f1: number;
}

export function bestF1({ f1, end }: Curve): Best | null {
  let best: Best | null = null;
  for (let at = 0; at < end; at += 1) {
    const score = f1[at];
    if (score !== null && score !== undefined && (!best || score > best.f1)) best = { at, f1: score };
  }
  return best && best.f1 > 0 ? best : null;
}

/** Recall and precision of the drawn part, in the order of thresholds; what is no number is skipped. */
export function pointsOf({ recall, precision, end }: Curve): { at: number; recall: number; precision: number }[] {
  const points = [];
  for (let at = 0; at < end; at += 1) {
    const [x, y] = [recall[at], precision[at]];
    if (x !== null && x !== undefined && y !== null && y !== undefined) points.push({ at, recall: x, precision: y });
  }
  return points;
}

export const CONTOURS = [0.2, 0.4, 0.6, 0.8] as const;

/** Precision at which this recall has this F1; beyond 1 there is none. */
export function contourPrecision(f1: number, recall: number): number | null {
  const precision = (f1 * recall) / (2 * recall - f1);
  return precision > 0 && precision <= 1 ? precision : null;
}

/** Average precision along the steps, as a chart takes it. */
export function averagesOf(
  known: Readonly<Record<string, Steps>>,
  runs: readonly string[],
  nameOf: (run: string) => string,
): SeriesSet {
  const present = runs.filter((run) => (known[run]?.areas.length ?? 0) > 0);
  const rows = present.flatMap((run) => known[run]!.areas.map(([place, average]) => ({ run, place, average })));
  const column = (pick: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows.map(pick));
  const step = column(({ run, place }) => known[run]!.steps[place]!);
  const curve = column(({ average }) => average ?? NaN);
  const offsets = [0];
  for (const run of present) offsets.push(offsets.at(-1)! + known[run]!.areas.length);
  return {
    unit: "step",
    offsets: Uint32Array.from(offsets),
    x: step,
    step,
    wall: column(({ run, place }) => known[run]!.walls[place]!),
    sorted: true,
    curve,
    raw: curve,
    low: null,
    high: null,
    fill: "envelope",
    marks: new Uint32Array(0),
    began: Float64Array.from(present.map((run) => known[run]!.walls[0]!)),
    series: present.map((run) => ({
      key: run,
      name: nameOf(run),
      attempt: 0,
      points: known[run]!.areas.length,
      isDownsampled: false,
    })),
  };
}

export interface CurvesCard {
  readonly key: string;
  readonly tag: string;
  readonly runs: readonly string[];
}

/** One card for all runs of a tag. */
export function cardsOf({ tag, runs }: TagEntry, shown: readonly string[]): CurvesCard[] {
  const having = new Set(runs);
  const present = shown.filter((run) => having.has(run));
  return present.length > 0 ? [{ key: tag, tag, runs: present }] : [];
}

/** The style of Card.svelte stacks plot and numbers below this width. */
const STACK_PX = 700;
const STACKED_PX = 700;
const BESIDE_PX = 400;
/** Of the rows of both tables, and of what is above, between and below them. */
const ROW_PX = 22;
const AROUND_ROWS_PX = 230;
const MAX_PX = 820;

/** High enough for the numbers of all its runs, up to a screen: longer tables scroll. */
export function heightFor(cardWidth: number, runs: number): number {
  const numbers = Math.min(AROUND_ROWS_PX + 2 * (runs + 1) * ROW_PX, MAX_PX);
  return cardWidth < STACK_PX ? Math.max(STACKED_PX, Math.round(numbers / 0.58)) : Math.max(BESIDE_PX, numbers);
}
