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
export { rampStops, rgbOf, token, tokenPixel } from "../chart/look";
export { mixRgb, pixelOf, rampOf } from "../chart/ramp";
export { schedulePaint } from "../chart/paint_scheduler";
export { barsOf, PIXELS, type Mark, type Transform } from "../chart/marks/marks";
export { panZoom } from "../chart/viewport/gestures";
export {
  centred,
  fit,
  fromPixel,
  pan,
  toPixel,
  zoomAt,
  type Limits as PlaneLimits,
  type Size,
  type Viewport,
} from "../chart/viewport/viewport";
export { PointIndex } from "../chart/marks/spatial_index";
export { paintMarks } from "../chart/gpu/surface";
export { onContextLost, sharedContext, takeContext } from "../chart/gpu/context";
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
export { EMPTY_SET, joinSets, seriesOf, withRowX, xAt, type SeriesSet } from "../chart/series";
export { rowColumn, type NumberColumn } from "../data/columns";
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
export { default as DownloadMenu } from "./scalar_card/DownloadMenu.svelte";
export { default as ScalarPlot } from "./scalar_card/ScalarPlot.svelte";
export { BANDS, grouping } from "./scalar_card/bands";
export { ScalarBoardState } from "./scalar_card/board_state.svelte";
export { cardKey, SCALARS, type CardId } from "./scalar_card/card_id";
export { lineKey, runOfKey, tagOfKey } from "./scalar_card/combine";
export { saveEverything } from "./scalar_card/download";
export { limitsError, parseLimit, type TypedRange } from "./scalar_card/limits";
export { ScalarCardModel } from "./scalar_card/model.svelte";
export { fileName } from "./scalar_card/point_files";
export { exact, nearestRow, rowsOf, stepped, type HistogramRow } from "../ui/histograms/rows";
export { CardData } from "../ui/histograms/card_data.svelte";
export type { HistogramCard } from "../ui/histograms/cards";
export { default as HistogramBoard } from "../ui/histograms/HistogramBoard.svelte";
export { default as HistogramFrame } from "../ui/histograms/HistogramFrame.svelte";
export { HistogramSettings, type Mode } from "../ui/histograms/settings.svelte";
