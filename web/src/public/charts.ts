/** Charts: the components, their parts that compute, and the series to put into them. */

/** A whole chart from a small spec: requests its series, zooms, has a tooltip, follows the runs table. */
export { default as LineChart } from "./LineChart.svelte";
/** A chart of a set of series; its owner requests them and handles zoom and tooltip. */
export { default as Chart } from "../chart/Chart.svelte";
/** The values under the pointer, as a table. */
export { default as ChartTooltip } from "../chart/Tooltip.svelte";
/** Axes, zoom and pointer around a canvas that the dashboard paints. */
export { default as Plot } from "../chart/Plot.svelte";
/** Starts the workers that draw many lines. */
export { warmCharts } from "../chart/layer/layer";
/** How many logged points are in a range. */
export { pointsWithin } from "../chart/domain";
/** The plot's rectangle and its axes in pixels. */
export { frameOf, type Frame } from "../chart/frame";
/** What a person zoomed to. */
export { NO_LIMITS, type Limits, type Point } from "../chart/gesture";
/** Colours of the theme, as text and as a number, and those of its ramp. */
export { rampStops, rgbOf, token } from "../chart/look";
/** A ramp of colours for pixels. */
export { mixRgb, pixelOf, rampOf } from "../chart/ramp";
/** Paints in the next frame, with all others that wait. */
export { schedulePaint } from "../chart/paint_scheduler";
/** The GPU surface that all cards share. */
export { onContextLost, sharedContext, takeContext } from "../chart/gpu/context";
/** Scales of an axis: linear, log, symlog. */
export {
  project,
  drawable,
  LINEAR,
  symlogConstant,
  invert,
  type Range,
  type Scale,
  type ScaleKind,
} from "../chart/scale";
/** Ticks of an axis, and their text. */
export { labelOf, ticksOf, ticksOfX } from "../chart/ticks";
/** What a `Chart` shows and reports. */
export type { ChartSpec, Hover as ChartHover, SeriesStyle, DataWindow as ChartWindow } from "../chart/spec";
/** The ranges and scales that a chart has for a set. */
export { rangeX, rangeY, scaleFor, shownIn } from "../chart/spec";
/** The row of a series at an x. */
export { rowOf } from "../chart/pick";
/** A time or another x value as text. */
export { readWall, readX } from "../chart/read";
/** Sets of series: from the server's columns, joined, and empty. */
export { EMPTY_SET, firstOf, joinSets, seriesOf, type SeriesSet } from "../chart/series";
/** A chart as a PNG. */
export { toPng } from "../chart/png";
/** A chart as an SVG. */
export { toSvg } from "../chart/svg";
/** Requests a window of a series, and decides on its columns and width. */
export { columnsFor, fetchWindow, MANY_RUNS, payloadAttempts, widthFor, type SeriesRequest } from "../data/series";
/** The series of one card, kept up to date. */
export { SeriesSource } from "../data/series_source.svelte";
/** Histograms of a run, and the percentiles that distributions draw. */
export { PERCENTS, rowsOfRun, type HistogramBlock, type HistogramRequest } from "../data/histograms";
/** The histograms of one card, kept up to date. */
export { HistogramSource } from "../data/histogram_source.svelte";
/** Pinned cards, which the server saves. */
export { fetchPins, savePins } from "../data/saved_state";
