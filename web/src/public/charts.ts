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
/** The plot's rectangle and its axes in pixels. */
export { frameOf, type Frame } from "../chart/frame";
/** What a person zoomed to. */
export type { Limits, Point } from "../chart/gesture";
/** Colours of the theme, as text and as numbers, and those of its ramp. */
export { rampStops, rgbOf, token, tokenPixel } from "../chart/look";
/** A ramp of colours for pixels. */
export { mixRgb, pixelOf, rampOf } from "../chart/ramp";
/** Paints in one of the next frames, in order of request. */
export { schedulePaint } from "../chart/paint_scheduler";
/** Marks for `paintMarks`: points, lines, rectangles and areas. */
export { barsOf, PIXELS, type Mark, type Transform } from "../chart/marks/marks";
/** Pan and zoom by pointer, wheel, fingers and keys. */
export { panZoom } from "../chart/viewport/gestures";
/** The visible part of a free plane, and how it moves. */
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
/** Finds points: the nearest, those in a box, those in a lasso. */
export { PointIndex } from "../chart/marks/spatial_index";
/** Draws marks with the GPU context that all cards share, or in software. */
export { paintMarks } from "../chart/gpu/surface";
/** The WebGL2 context that all cards share. */
export { onContextLost, sharedContext, takeContext } from "../chart/gpu/context";
/** Scales of an axis: linear, log, symlog. */
export { project, drawable, LINEAR, symlogConstant, invert, type Range, type Scale } from "../chart/scale";
/** Ticks of an axis, and their text. */
export { labelOf, ticksOf, ticksOfX } from "../chart/ticks";
/** What a `Chart` shows and reports. */
export type { ChartSpec, Hover as ChartHover, SeriesStyle } from "../chart/spec";
/** The ranges and scales that a chart has for a set. */
export { shownIn } from "../chart/spec";
/** The row of a series at an x. */
export { rowOf } from "../chart/pick";
/** A time or another x value as text. */
export { readWall, readX } from "../chart/read";
/** Sets of series: from the server's columns, with an x for each row, and empty. */
export { EMPTY_SET, seriesOf, withRowX, xAt, type SeriesSet } from "../chart/series";
/** A column of numbers, with the type that the server sent. */
export type { NumberColumn } from "../data/columns";
/** Requests a window of a series, and decides on its columns and width. */
export { columnsFor, fetchWindow, payloadAttempts, widthFor } from "../data/series";
/** The series of one card, kept up to date. */
export { SeriesSource } from "../data/series_source.svelte";
/** Histograms of a run, and the percentiles that distributions draw. */
export { PERCENTS, type HistogramBlock } from "../data/histograms";
/** The downloads of a chart: picture and points. */
export { default as DownloadMenu } from "./scalar_card/DownloadMenu.svelte";
/** The plot of a scalar card, with its tooltip. */
export { default as ScalarPlot } from "./scalar_card/ScalarPlot.svelte";
/** Groups of runs as one line with a band. */
export { BANDS, grouping } from "./scalar_card/bands";
/** The state of scalar charts in the address: zoom, scales, pins, full screen. */
export { ScalarBoardState } from "./scalar_card/board_state.svelte";
/** Identifies a card by kind and tag. */
export { cardKey, SCALARS, type CardId } from "./scalar_card/card_id";
/** Keys of lines in a chart of several tags. */
export { lineKey, runOfKey, tagOfKey } from "./scalar_card/combine";
/** Downloads all points of many tags. */
export { saveEverything } from "./scalar_card/save_everything";
/** Limits of an axis as a person types them. */
export { limitsError, parseLimit, type TypedRange } from "./scalar_card/limits";
/** The data of one scalar card. */
export { ScalarCardModel } from "./scalar_card/model.svelte";
/** A tag as the name of a file. */
export { fileName } from "./scalar_card/point_files";
/** Rows of histograms along the axis. */
export { exact, nearestRow, rowsOf, stepped, type HistogramRow } from "../ui/histograms/rows";
/** The data of a card of histograms or distributions. */
export { CardData } from "../ui/histograms/card_data.svelte";
/** A card of histograms: its tag and runs. */
export type { HistogramCard } from "../ui/histograms/cards";
/** The board of histograms and of distributions. */
export { default as HistogramBoard } from "../ui/histograms/HistogramBoard.svelte";
/** The frame of a card of histograms. */
export { default as HistogramFrame } from "../ui/histograms/HistogramFrame.svelte";
/** How histograms are drawn, in the address. */
export { HistogramSettings, type Mode } from "../ui/histograms/settings.svelte";
