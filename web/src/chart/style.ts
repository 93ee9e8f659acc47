/** From a chart's spec to what the painter is told about each series. */

import { fillAlpha, paintLook, rgbOf, token } from "./look";
import { DASHED, LIVE, REPLACED, SHOWN, type Mode, type Style } from "./paint/scene";
import type { Scope, SeriesStyle } from "./spec";

export interface StyleInput {
  readonly styleOf: (key: string) => SeriesStyle;
  readonly theme: string;
  readonly focus: string | null;
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
  return {
    mode,
    colours,
    flags,
    highlight: focus === null ? [] : shown.filter((index) => set.series[index]!.key === focus),
    alpha: 0,
    envelope: true,
    raw: true,
    markers: true,
    fillAlpha: fillAlpha(set.fill, theme),
    look: paintLook(theme),
  };
}
