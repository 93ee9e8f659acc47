/** Where the panels of the facets lie in the picture, and the way between values and pixels in each. */

import type { Range } from "$public/charts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The plot of one facet, in CSS pixels; its title is above, the labels of its axes are left and below. */
export interface Panel {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A narrower picture has its facets below each other. */
export const NARROW_PX = 480;
const MIN_PANEL_PX = 240;
const MARGIN = { top: 22, bottom: 30, right: 6, gap: 14 };
/** Points on the border are not cut. */
const AIR_PX = 4;

export function layoutOf(count: number, { width, height }: Size, gutterPx: number): readonly Panel[] {
  const fitting = Math.max(1, Math.floor(width / (MIN_PANEL_PX + gutterPx)));
  const columns = width < NARROW_PX ? 1 : evenColumns(count, Math.min(count, fitting));
  const rows = Math.ceil(count / columns);
  const cellWidth = (width + MARGIN.gap - MARGIN.right) / columns;
  const cellHeight = height / rows;
  return Array.from({ length: count }, (_, at) => {
    const left = (at % columns) * cellWidth + gutterPx;
    const top = Math.floor(at / columns) * cellHeight + MARGIN.top;
    return {
      left,
      top,
      right: Math.max(left + 1, left - gutterPx + cellWidth - MARGIN.gap),
      bottom: Math.max(top + 1, top - MARGIN.top + cellHeight - MARGIN.bottom),
    };
  });
}

/** As few rows as `fitting` columns allow, with no more columns than these rows need: 4 are 2 × 2, not 3 and 1. */
function evenColumns(count: number, fitting: number): number {
  return Math.ceil(count / Math.ceil(count / Math.max(1, fitting)));
}

export interface Axis {
  readonly scale: number;
  readonly offset: number;
}

export function axisOf({ from, to }: Range, start: number, end: number): Axis {
  const scale = (end - start) / (to - from);
  return { scale, offset: start - from * scale };
}

export const xAxisOf = (panel: Panel, range: Range): Axis => axisOf(range, panel.left + AIR_PX, panel.right - AIR_PX);
export const yAxisOf = (panel: Panel, range: Range): Axis => axisOf(range, panel.bottom, panel.top);

export const toPixel = ({ scale, offset }: Axis, value: number): number => value * scale + offset;
export const fromPixel = ({ scale, offset }: Axis, pixel: number): number => (pixel - offset) / scale;

/** The panel under a point, title and labels included; null beside all. */
export function panelAt(panels: readonly Panel[], x: number, y: number): number | null {
  const at = panels.findIndex(
    ({ left, top, right, bottom }) => x >= left - AIR_PX && x <= right + AIR_PX && y >= top && y <= bottom,
  );
  return at < 0 ? null : at;
}
