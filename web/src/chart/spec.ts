/** The contract of a chart: everything it shows in one `spec`, everything a person does to it in callbacks. */

import { clippedBy, evenSamples, extentX, fitY, NOT_CLIPPED, type Clipped, type YFit } from "./domain";
import { NO_LIMITS, type Limits } from "./gesture";
import type { Nearest } from "./pick";
import { drawable, LINEAR, symlogConstant, type Range, type Scale, type ScaleKind } from "./scale";
import type { Mode } from "./paint/scene";
import type { SeriesSet } from "./series";

export interface SeriesStyle {
  /** A design token such as "--run-1", or a colour "#rrggbb". */
  readonly token: string;
  readonly dashed: boolean;
  readonly live: boolean;
}

export interface ChartAnnotation {
  readonly id: string;
  /** A point where both are the same, in units of the x axis. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly token: string;
}

export interface ChartSpec {
  /** Read out in place of the picture: the tag, how many runs, the last value. */
  readonly label: string;
  /** Null: nothing has come yet. */
  readonly set: SeriesSet | null;
  readonly isShown?: (key: string) => boolean;
  readonly styleOf: (key: string) => SeriesStyle;
  readonly theme: string;
  readonly xScale?: ScaleKind;
  readonly yScale?: ScaleKind;
  /** Fit y to the bulk of the values. */
  readonly clipOutliers?: boolean;
  /** What a person zoomed to or typed; the chart never changes it by itself. */
  readonly limits?: Limits;
  /** Keys that are drawn on top; all others are dimmed. */
  readonly focus?: readonly string[];
  readonly mode?: Mode;
  /** Series of one point each, from top to bottom: they are drawn as bars along x instead of lines. */
  readonly bars?: readonly number[];
  /** What a line is, for a person: "run" by default. */
  readonly lineNoun?: string;
  /** Names at the ends of up to eight lines. */
  readonly endLabels?: boolean;
  readonly findings?: readonly { readonly x: number }[];
  readonly selection?: Range | null;
  /** Marks on the x axis that can be pressed. */
  readonly annotations?: readonly ChartAnnotation[];
  /** Plain wheel zooms, for a chart that fills the screen; else it scrolls the page and Ctrl or Alt makes it zoom. */
  readonly plainWheel?: boolean;
  readonly error?: string;
  /** Why there is nothing to see. */
  readonly empty?: string;
}

export interface Hover {
  readonly x: number;
  /** The value under the pointer. */
  readonly y: number;
  readonly nearest: Nearest | null;
}

/** What the data layer is to fetch for the best picture: null is all of x. */
export interface DataWindow {
  readonly x: Range | null;
  readonly widthPx: number;
}

export interface ChartCallbacks {
  onview?: (limits: Limits) => void;
  onwindow?: (window: DataWindow) => void;
  onhover?: (hover: Hover | null) => void;
  onpick?: (key: string) => void;
  onretry?: () => void;
  onannotation?: (id: string) => void;
}

export function shownIn(set: SeriesSet, isShown: ((key: string) => boolean) | undefined): number[] {
  const shown: number[] = [];
  set.series.forEach((info, index) => {
    if (set.offsets[index + 1]! > set.offsets[index]! && (!isShown || isShown(info.key))) shown.push(index);
  });
  return shown;
}

export interface Scope {
  readonly set: SeriesSet;
  readonly shown: readonly number[];
}

export function scaleFor(kind: ScaleKind, { set, shown }: Scope, axis: "x" | "y"): Scale {
  if (kind !== "symlog") return { kind, constant: 1 };
  const whole = extentX(set, shown) ?? { from: 0, to: 1 };
  return {
    kind,
    constant: symlogConstant(axis === "x" ? [whole.from, whole.to] : evenSamples(set, shown, whole, LINEAR)),
  };
}

/** The x range to draw; null when there is nothing to draw. */
export function rangeX({ set, shown }: Scope, scale: Scale, limits: Limits | undefined): Range | null {
  const range = limits?.x ?? fromZero(extentX(set, shown));
  if (!range) return null;
  if (scale.kind === "log" && !(range.from > 0))
    return drawable(scale, { from: smallestPositive(set, shown), to: range.to });
  // A point alone gets room on both sides: half a step, a second.
  return range.from === range.to ? { from: range.from - 0.5, to: range.to + 0.5 } : drawable(scale, range);
}

/** The first row of a downsampled series stands for the steps from 0 on: an axis that begins almost at zero begins there. */
function fromZero(range: Range | null): Range | null {
  return range && range.from > 0 && range.from < range.to * 0.01 ? { from: 0, to: range.to } : range;
}

/** Step 0 has no place on a log axis: it begins with the first step that has. */
function smallestPositive({ x, offsets }: SeriesSet, shown: readonly number[]): number {
  let least = Infinity;
  for (const index of shown) {
    for (let row = offsets[index]!; row < offsets[index + 1]!; row += 1)
      if (x[row]! > 0 && x[row]! < least) least = x[row]!;
  }
  return least;
}

export interface RangeYOptions {
  readonly x: Range;
  readonly scale: Scale;
  readonly limits: Limits | undefined;
  readonly clipOutliers: boolean;
  readonly curvesOnly: boolean;
}

export interface YRange extends YFit {
  /** Lines that have values outside the range. */
  readonly clipped: Clipped;
}

/** The y range to draw, how far the values in view reach, and how many lines the range cuts off. */
export function rangeY({ set, shown }: Scope, { limits = NO_LIMITS, ...options }: RangeYOptions): YRange {
  const { scale } = options;
  const fit = fitY(set, shown, limits.y ? { ...options, clipOutliers: false } : options);
  // Only marks and no finite value: any range will do, the baseline is what counts.
  const range = limits.y ? drawable(scale, limits.y) : (fit?.range ?? { from: scale.kind === "log" ? 0.1 : 0, to: 1 });
  const whole = fit?.whole ?? range;
  const isWhole = whole.from >= range.from && whole.to <= range.to && scale.kind !== "log";
  return { range, whole, clipped: isWhole ? NOT_CLIPPED : clippedBy(set, shown, range, options) };
}
