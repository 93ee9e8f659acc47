/** The stacked bars of steps: which steps each bar stands for, and where its parts are in pixels. */

import { BREAKDOWN_PARTS, type Breakdown, type BreakdownPart, type StepBreakdown } from "../../wire";

/** One step, or the mean of several where they are too many for the width. */
export interface Bar {
  /** Positions in the list of steps; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
  readonly label: string;
  readonly breakdown: Breakdown;
  readonly meanNs: number;
  readonly minNs: number;
  readonly maxNs: number;
  /** The position of the longest step. */
  readonly longest: number;
  readonly note: string;
}

export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

export const MARGIN = { left: 36, right: 16, top: 18, bottom: 20 } as const;
/** Narrower bars would not be told apart. */
const MIN_PITCH_PX = 4;
const MAX_BAR_PX = 64;
/** Below this, gaps between bars would only flicker. */
const MIN_GAP_PITCH_PX = 6;

export const plotWidth = ({ width }: PlotSize): number => Math.max(0, width - MARGIN.left - MARGIN.right);

/** How many steps a bar stands for. */
export const stepsPerBar = (steps: number, size: PlotSize): number =>
  Math.max(1, Math.ceil((steps * MIN_PITCH_PX) / Math.max(MIN_PITCH_PX, plotWidth(size))));

export const stepLabel = (step: { readonly name: string; readonly number: number | null }): string =>
  step.number === null ? step.name : String(step.number);

/** "step 417", or the name of a step without a number. */
export const stepTitle = (step: { readonly name: string; readonly number: number | null }): string =>
  step.number === null ? step.name : `step ${step.number}`;

export function makeBars(steps: readonly StepBreakdown[], perBar: number): Bar[] {
  const bars: Bar[] = [];
  for (let first = 0; first < steps.length; first += perBar)
    bars.push(makeBar(steps, first, Math.min(steps.length, first + perBar)));
  return bars;
}

function makeBar(steps: readonly StepBreakdown[], first: number, end: number): Bar {
  const own = steps.slice(first, end);
  const durations = own.map(({ duration_ns }) => duration_ns);
  const maxNs = Math.max(...durations);
  const labels = [stepLabel(own[0]!), stepLabel(own.at(-1)!)];
  return {
    first,
    end,
    label: own.length === 1 ? labels[0]! : labels.join("–"),
    breakdown: meanOf(own),
    meanNs: sum(durations) / own.length,
    minNs: Math.min(...durations),
    maxNs,
    longest: first + durations.indexOf(maxNs),
    note: own.find(({ note }) => note !== "")?.note ?? "",
  };
}

function meanOf(steps: readonly StepBreakdown[]): Breakdown {
  const mean: Partial<Record<BreakdownPart, number>> = {};
  for (const part of BREAKDOWN_PARTS)
    mean[part] = sum(steps.map(({ breakdown }) => breakdown[part] ?? 0)) / steps.length;
  return mean;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export interface Block {
  readonly part: BreakdownPart;
  readonly y: number;
  readonly height: number;
}

export interface PlacedBar {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly blocks: readonly Block[];
  /** From the longest to the shortest step, where the bar is a mean. */
  readonly whisker: readonly [number, number] | null;
}

export interface BarScale {
  /** "time": nanoseconds; "share": parts of each bar's own duration. */
  readonly by: "time" | "share";
  /** The value at the top of the plot. */
  readonly top: number;
}

/** Leaves room above the longest bar for its number. */
export const barScale = (bars: readonly Bar[], by: "time" | "share"): BarScale => ({
  by,
  top: by === "share" ? 1 : Math.max(1, ...bars.map(({ maxNs }) => maxNs)) * 1.04,
});

export const yOf = (value: number, scale: BarScale, { height }: PlotSize): number =>
  height - MARGIN.bottom - (value / scale.top) * (height - MARGIN.top - MARGIN.bottom);

export function placeBars(bars: readonly Bar[], scale: BarScale, size: PlotSize): PlacedBar[] {
  const pitch = plotWidth(size) / Math.max(1, bars.length);
  const gap = pitch < MIN_GAP_PITCH_PX ? 0 : Math.max(Math.min(5, pitch * 0.18), (pitch - MAX_BAR_PX) / 2);
  return bars.map((bar, index) => {
    const x = Math.round(MARGIN.left + index * pitch + gap);
    const right = Math.round(MARGIN.left + (index + 1) * pitch - gap);
    const unit = scale.by === "share" ? Math.max(1, bar.meanNs) : 1;
    const whisker: PlacedBar["whisker"] =
      scale.by === "time" && bar.end - bar.first > 1
        ? [yOf(bar.maxNs, scale, size), yOf(bar.minNs, scale, size)]
        : null;
    return {
      bar,
      x,
      width: Math.max(1, right - x),
      top: yOf(bar.meanNs / unit, scale, size),
      blocks: stack(bar, unit, scale, size),
      whisker,
    };
  });
}

function stack(bar: Bar, unit: number, scale: BarScale, size: PlotSize): Block[] {
  const blocks: Block[] = [];
  let below = 0;
  for (const part of BREAKDOWN_PARTS) {
    const value = (bar.breakdown[part] ?? 0) / unit;
    if (value <= 0) continue;
    const y = yOf(below + value, scale, size);
    blocks.push({ part, y, height: yOf(below, scale, size) - y });
    below += value;
  }
  return blocks;
}

/** The index of the bar at a position, -1 beside the plot. */
export function barAt(x: number, count: number, size: PlotSize): number {
  const index = Math.floor(((x - MARGIN.left) / plotWidth(size)) * count);
  return index >= 0 && index < count ? index : -1;
}

/** The indexes of bars whose labels have room. */
export function labelledBars(bars: readonly Bar[], size: PlotSize): number[] {
  const widest = Math.max(1, ...bars.map(({ label }) => label.length)) * 6 + 14;
  const every = Math.max(1, Math.ceil((widest * bars.length) / Math.max(1, plotWidth(size))));
  return bars.flatMap((_, index) => (index % every === Math.floor((every - 1) / 2) ? [index] : []));
}
