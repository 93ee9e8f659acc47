/** An axis: where on it each trial lies, what is written beside it, and what a person means by a place on it. */

import type { Condition } from "$public/tables";
import { chartAxes, type Scale } from "$public/charts";
import { format, sortedLists } from "$public/core";
import { MISSING, NON_FINITE, distinct, finiteSorted, VALUE, type TrialColumn } from "../columns/columns";
import { NON_FINITE_WORD } from "./brush";

export const SCALE_NAMES = ["linear", "log", "quantile", "steps"] as const;
/** "steps": every value has the same room. Words, yes and no are always so. */
export type ScaleName = (typeof SCALE_NAMES)[number];

/** Below the axis: nothing logged, and what cannot be placed. */
export const AT_MISSING = -1;
export const AT_NON_FINITE = -2;

export interface AxisTick {
  /** 0 is the bottom, 1 the top. */
  readonly at: number;
  readonly label: string;
}

export interface ParallelAxis {
  readonly id: string;
  readonly label: string;
  readonly column: TrialColumn;
  readonly scale: ScaleName;
  readonly flipped: boolean;
  /** Of each row: 0 at the bottom to 1 at the top, or AT_MISSING, AT_NON_FINITE. */
  readonly at: Float32Array;
  readonly ticks: readonly AxisTick[];
  readonly hasMissing: boolean;
  readonly hasNonFinite: boolean;
  /** What lies between two places. */
  picksBetween(from: number, to: number): Condition[];
  /** Where a pick lies; null for what is below the axis or not on it. */
  spanOf(pick: Condition): readonly [number, number] | null;
}

export interface AxisPreference {
  readonly scale?: ScaleName | undefined;
  readonly flipped?: boolean | undefined;
}

/** So few values are steps, not a scale. */
const FEW_VALUES = 6;
const WIDE_RATIO = 50;
const TICKS = 5;

/** What a person would choose: steps for a handful of values, log for what spans decades. */
export function defaultScale(column: TrialColumn): ScaleName {
  if (column.categories) return "steps";
  const sorted = finiteSorted(column);
  const values = distinct(column, FEW_VALUES);
  if (column.type === "number" && values <= FEW_VALUES && sorted.length >= values * 2) return "steps";
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || column.type === "time") return "linear";
  return low > 0 && high / low >= WIDE_RATIO ? "log" : "linear";
}

export function scalesFor(column: TrialColumn): readonly ScaleName[] {
  return column.categories ? ["steps"] : column.type === "time" ? ["linear", "quantile"] : SCALE_NAMES;
}

export function axisOf(column: TrialColumn, { scale, flipped = false }: AxisPreference = {}): ParallelAxis {
  const preferred = scale !== undefined && scalesFor(column).includes(scale) ? scale : defaultScale(column);
  const axisScale =
    preferred === "steps"
      ? stepsAxisScale(column)
      : preferred === "quantile"
        ? quantileAxisScale(column)
        : numberAxisScale(column, preferred);
  const turn = flipped ? (at: number): number => 1 - at : (at: number): number => at;
  const at = new Float32Array(column.numbers.length);
  const phase = phaseOf(column.id);
  for (let row = 0; row < at.length; row += 1) {
    const state = column.states[row];
    at[row] =
      state === MISSING
        ? AT_MISSING
        : state === NON_FINITE
          ? AT_NON_FINITE
          : turn(axisScale.at(column.numbers[row]!) + axisScale.jitter * spread(row, phase));
  }
  return {
    id: column.id,
    label: column.label,
    column,
    scale: preferred,
    flipped,
    at,
    ticks: axisScale.ticks.map((tick) => ({ ...tick, at: turn(tick.at) })),
    hasMissing: column.states.includes(MISSING),
    hasNonFinite: column.states.includes(NON_FINITE),
    picksBetween: (from, to) => {
      const [a, b] = [turn(from), turn(to)];
      return axisScale.picks(Math.min(a, b), Math.max(a, b));
    },
    spanOf: (pick) => {
      const place = axisScale.place(pick);
      if (!place) return null;
      const [a, b] = [turn(place[0]), turn(place[1])];
      return [Math.min(a, b), Math.max(a, b)];
    },
  };
}

interface AxisScale {
  at(number: number): number;
  /** How far lines of one step may spread. */
  readonly jitter: number;
  readonly ticks: readonly AxisTick[];
  picks(from: number, to: number): Condition[];
  place(pick: Condition): readonly [number, number] | null;
}

/** −1 to 1, the same for a row at every look, and on every axis another: else two axes of steps would seem to go together. */
function spread(row: number, phase: number): number {
  let mixed = Math.imul(row + 1, 0x9e3779b1) ^ phase;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 0x7fffffff - 1;
}

function phaseOf(id: string): number {
  let phase = 0;
  for (let at = 0; at < id.length; at += 1) phase = (Math.imul(phase, 31) + id.charCodeAt(at)) | 0;
  return phase;
}
const clamp = (at: number): number => Math.min(1, Math.max(0, at));

/** Words, or a handful of numbers in their order. */
function stepsAxisScale(column: TrialColumn): AxisScale {
  const values = column.categories ? column.categories.map((_, index) => index) : [...new Set(finiteSorted(column))];
  const places = new Map(values.map((value, index) => [value, index]));
  const count = Math.max(1, values.length);
  const centre = (index: number): number => (index + 0.5) / count;
  const labels =
    column.categories?.map((word) => (word === "" ? "(empty)" : word)) ??
    values.map((value, index) => numberLabel(column, value, gapAround(values, index)));
  return {
    at: (number) => centre(places.get(number)!),
    jitter: count === 1 ? 0.03 : Math.min(0.045, 0.36 / count),
    ticks: labels.map((label, index) => ({ at: centre(index), label })),
    picks: (from, to) => {
      const covered = values.filter((_, index) => centre(index) >= from && centre(index) <= to);
      if (covered.length === 0) return [];
      return column.categories ? covered.map((index) => column.categories![index]!) : [[covered[0]!, covered.at(-1)!]];
    },
    place: (pick) => {
      const held = values.flatMap((value, index) => (holds(column, pick, value) ? [index] : []));
      return held.length === 0 ? null : [centre(held[0]!) - 0.42 / count, centre(held.at(-1)!) + 0.42 / count];
    },
  };
}

function holds({ categories }: TrialColumn, pick: Condition, value: number): boolean {
  if (categories) return categories[value] === pick;
  return Array.isArray(pick) && value >= pick[0] && value <= pick[1];
}

function numberAxisScale(column: TrialColumn, kind: "linear" | "log"): AxisScale {
  const sorted = finiteSorted(column);
  const range = { from: sorted[0] ?? 0, to: sorted.at(-1) ?? 1 };
  // A rate of zero beside rates of 1e−4 is common: then the axis is straight around zero.
  const scale: Scale =
    kind === "linear"
      ? { kind, constant: 1 }
      : range.from > 0
        ? { kind, constant: 1 }
        : { kind: "symlog", constant: chartAxes.symlogConstant(sorted) };
  const { from, to } = chartAxes.drawable(scale, range);
  const [low, high] = [chartAxes.project(scale, from), chartAxes.project(scale, to)];
  const at = (number: number): number => (chartAxes.project(scale, number) - low) / (high - low);
  const back = (share: number): number => chartAxes.invert(scale, low + (high - low) * clamp(share));
  const ticks =
    column.type === "time"
      ? chartAxes.ticksOfX("wall", scale, { from, to }, TICKS)
      : column.type === "duration"
        ? chartAxes.ticksOfX("relative", scale, { from, to }, TICKS)
        : chartAxes.ticks(scale, { from, to }, TICKS);
  return {
    at,
    jitter: 0,
    ticks: ticks
      .map(({ value, label }) => ({ at: at(value), label }))
      .filter((tick) => tick.at >= -1e-9 && tick.at <= 1 + 1e-9),
    picks: (first, last) => [rangeBetween(first, last, back)],
    place: (pick) => spanOfRange(pick, (number) => (canPlace(scale, number) ? at(number) : -Infinity)),
  };
}

const canPlace = (scale: Scale, number: number): boolean => scale.kind !== "log" || number > 0;

/** Every trial has the same room: the middle of the axis is the median. */
function quantileAxisScale(column: TrialColumn): AxisScale {
  const sorted = finiteSorted(column);
  const last = Math.max(1, sorted.length - 1);
  const at = (number: number): number =>
    sorted.length < 2
      ? 0.5
      : (sortedLists.lowerBound(sorted, number) + sortedLists.upperBound(sorted, number) - 1) / 2 / last;
  const back = (share: number): number => {
    const place = clamp(share) * last;
    const index = Math.floor(place);
    const [left, right] = [sorted[index] ?? 0, sorted[index + 1] ?? sorted.at(-1) ?? 0];
    return left + (right - left) * (place - index);
  };
  const quarters =
    sorted.length === 0 ? [] : [0, 0.25, 0.5, 0.75, 1].map((share) => ({ at: share, value: back(share) }));
  return {
    at,
    jitter: 0,
    ticks: quarters.map(({ at: share, value }, index, all) => ({
      at: share,
      label: numberLabel(
        column,
        value,
        gapAround(
          all.map((tick) => tick.value),
          index,
        ) / 20,
      ),
    })),
    picks: (first, end) => [rangeBetween(first, end, back)],
    place: (pick) => spanOfRange(pick, (number) => clamp(at(number))),
  };
}

/** About a pixel of an axis: ends are as round as that allows, so that what is written is what counts. */
const PIXEL_SHARE = 1 / 400;

function rangeBetween(first: number, last: number, back: (share: number) => number): [number, number] {
  const low = rounded(back(first), Math.abs(back(first + PIXEL_SHARE) - back(first - PIXEL_SHARE)));
  const high = rounded(back(last), Math.abs(back(last + PIXEL_SHARE) - back(last - PIXEL_SHARE)));
  // The ends of the axis hold the first and the last trial whatever is rounded away.
  return [first <= 0 ? Math.min(low, back(0)) : low, last >= 1 ? Math.max(high, back(1)) : high];
}

export function rounded(value: number, gap: number): number {
  if (!(gap > 0) || !Number.isFinite(value)) return value;
  const digits = Math.min(12, Math.max(1, Math.ceil(Math.log10(Math.max(1, Math.abs(value) / gap)) + 0.3)));
  return Number(value.toPrecision(digits));
}

function spanOfRange(pick: Condition, at: (number: number) => number): readonly [number, number] | null {
  if (!Array.isArray(pick)) return null;
  const [low, high] = [at(pick[0]), at(pick[1])];
  return high < 0 || low > 1 ? null : [clamp(low), clamp(high)];
}

function gapAround(values: readonly number[], index: number): number {
  const value = values[index]!;
  const gap = Math.min(
    Math.abs(value - (values[index - 1] ?? Infinity)),
    Math.abs(value - (values[index + 1] ?? Infinity)),
  );
  return gap > 0 ? gap : Infinity;
}

function numberLabel({ type }: TrialColumn, value: number, gap: number): string {
  if (type === "duration") return format.seconds(value);
  if (type === "time") return new Date(value * 1000).toLocaleDateString("en", { month: "short", day: "numeric" });
  return chartAxes.label(value, gap);
}

/** The picks for the two marks below an axis. */
export const picksBelow = (at: number): Condition[] => (at === AT_MISSING ? [null] : [NON_FINITE_WORD]);

/** The share of trials that have a value here. */
export const shareWithValue = ({ states }: TrialColumn): number =>
  states.length === 0 ? 0 : states.reduce((count, state) => count + (state === VALUE ? 1 : 0), 0) / states.length;
