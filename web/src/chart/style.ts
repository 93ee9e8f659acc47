/** From a chart's spec to what the painter is told about each series. */

import { fillAlpha, paintLook, rgbOf, token } from "./look";
import { DASHED, LIVE, REPLACED, SHOWN, type Mode, type Style } from "./paint/scene";
import type { Scope, SeriesStyle } from "./spec";

export interface StyleInput {
  readonly styleOf: (key: string) => SeriesStyle;
  readonly theme: string;
  readonly focus: readonly string[];
  readonly mode: Mode;
}

export function paintStyle({ set, shown }: Scope, { styleOf, theme, focus, mode }: StyleInput): Style {
  const colours = new Uint32Array(set.series.length);
  const flags = new Uint8Array(set.series.length);
  for (const index of shown) {
    const style = styleOf(set.series[index]!.key);
    colours[index] = rgbOf(token(style.token, theme));
    // Only the last attempt of a run can still be written.
    const last = set.series[index + 1]?.key !== set.series[index]!.key;
    flags[index] =
      SHOWN |
      (style.dashed ? DASHED : 0) |
      (style.live && last ? LIVE : 0) |
      (set.series[index]!.replaced ? REPLACED : 0);
  }
  const highlight = focus.length === 0 ? [] : shown.filter((index) => focus.includes(set.series[index]!.key));
  return {
    mode,
    colours,
    flags,
    highlight,
    alpha: 0,
    underlay: underlayOf({ set, shown }, highlight),
    markers: true,
    fillAlpha: fillAlpha(set.fill, theme),
    look: paintLook(theme),
  };
}

/** More envelopes or raw lines than these lie over each other and hide the curves. */
const MAX_UNDERLAYS = 3;

/** Of a few lines all, else those of the highlighted ones. A band is what a group shows: it is always there. */
export function underlayOf({ set, shown }: Scope, highlight: readonly number[]): readonly number[] {
  const counted = shown.filter((index) => !set.series[index]!.replaced);
  if (highlight.length > 0) return highlight.filter((index) => counted.includes(index));
  return set.fill === "band" || counted.length <= MAX_UNDERLAYS ? counted : [];
}

/** The same with the envelope of the line under the pointer. */
export const withUnderlay = (style: Style, index: number | undefined): Style =>
  index === undefined || style.underlay.includes(index) ? style : { ...style, underlay: [...style.underlay, index] };
