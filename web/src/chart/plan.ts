/** A spec at a size, worked out: for pictures that are made once and not kept on screen. */

import type { Clipped } from "./domain";
import { frameOf, type Frame } from "./frame";
import { labelWidth } from "./labels";
import { modeOf } from "./layer/card";
import type { Columns, Style, View } from "./paint/scene";
import { EMPTY_SET, type SeriesSet } from "./series";
import { rangeX, rangeY, scaleFor, shownIn, type ChartSpec, type Scope } from "./spec";

export interface Plan {
  readonly scope: Scope;
  readonly style: Style;
  readonly frame: Frame;
  readonly clipped: Clipped;
}

export type StyleMaker = (scope: Scope, spec: ChartSpec) => Style;

/** Null when there is nothing to draw. */
export function planOf(
  spec: ChartSpec,
  size: { readonly width: number; readonly height: number },
  styled: StyleMaker,
): Plan | null {
  const set = spec.set ?? EMPTY_SET;
  const scope = { set, shown: shownIn(set, spec.isShown) };
  const style = styled(scope, spec);
  const xScale = scaleFor(spec.xScale ?? "linear", scope, "x");
  const yScale = scaleFor(spec.yScale ?? "linear", scope, "y");
  const x = rangeX(scope, xScale, spec.limits);
  if (!x) return null;
  const curvesOnly = modeOf(set, style) !== "lines";
  const { range: y, clipped } = rangeY(scope, {
    x,
    scale: yScale,
    limits: spec.limits,
    clipOutliers: spec.clipOutliers ?? false,
    curvesOnly,
  });
  return {
    scope,
    style,
    clipped,
    frame: frameOf({
      ...size,
      unit: set.unit,
      x,
      y,
      xScale,
      yScale,
      labelWidth: spec.endLabels ? labelWidth(scope, size) : 0,
    }),
  };
}

/** The columns of a set as a painter takes them, without a copy. */
export function columnsOf(set: SeriesSet): Columns {
  const { offsets, x, sharedX = false, sorted, curve, low, high, marks } = set;
  return { offsets, x, sharedX, sorted, curve, raw: set.raw === curve ? null : set.raw, low, high, marks };
}

export function viewOf(
  { x, y, xScale, yScale, left, right, top, bottom }: Frame,
  { dpr, pad }: { dpr: number; pad: number },
): View {
  return { x0: x.from, x1: x.to, y0: y.from, y1: y.to, xScale, yScale, w: right - left, h: bottom - top, dpr, pad };
}
