/** Charts: the components, their parts that compute, and the series to put into them. */

export * from "./groups/painting";
export * from "./groups/theme_colours";
export * from "./groups/gpu";
export * from "./groups/viewports";
export * from "./groups/chart_axes";
export * from "./groups/series_sets";
export * from "./groups/series_requests";
export * from "./groups/histogram_rows";
/** A whole chart from a small spec: requests its series, zooms, has a tooltip, follows the runs table. */
export { default as LineChart } from "./LineChart.svelte";
/** A chart of a set of series; its owner requests them and handles zoom and tooltip. */
export { default as Chart } from "../chart/Chart.svelte";
/** The values under the pointer, as a table. */
export { default as ChartTooltip } from "../chart/Tooltip.svelte";
/** Axes, zoom and pointer around a canvas that the dashboard paints. */
export { default as Plot } from "../chart/Plot.svelte";
/** The plot's rectangle and its axes in pixels. */
export type { Frame } from "../chart/frame";
/** What a person zoomed to. */
export type { Limits, Point } from "../chart/gesture";
/** Marks for `gpu.paintMarks`: points, lines, rectangles and areas. */
export type { Mark, Transform } from "../chart/marks/marks";
/** The corners of a lasso. */
export type { Polygon } from "../chart/marks/lasso";
/** A free plane: its visible part, the limits of it, and a size. */
export type { Limits as PlaneLimits, Size, Viewport } from "../chart/viewport/viewport";
/** Finds points: the nearest, those in a box, those in a lasso. */
export { PointIndex } from "../chart/marks/spatial_index";
/** A range of values, and the scale of an axis. */
export type { Range, Scale } from "../chart/scale";
/** What a `Chart` shows and reports. */
export type { ChartSpec, Hover as ChartHover, SeriesStyle } from "../chart/spec";
/** Series as a chart takes them: columns that they share, and what is said of each. */
export type { SeriesSet } from "../chart/series";
/** A column of numbers, with the type that the server sent. */
export type { NumberColumn } from "../data/columns";
/** The series of one card, kept up to date. */
export { SeriesSource } from "../data/series_source.svelte";
/** Histograms of runs, as columns. */
export type { HistogramBlock } from "../data/histograms";
/** The downloads of a chart: picture and points. */
export { default as DownloadMenu } from "./scalar_card/DownloadMenu.svelte";
/** The smoothing of scalar charts and what is along x, for a toolbar. */
export { default as SmoothingAndAxis } from "./scalar_card/SmoothingAndAxis.svelte";
/** In a panel: how runs are grouped as one line with a band. */
export { default as RunGroupFields } from "./scalar_card/RunGroupFields.svelte";
/** The plot of a scalar card, with its tooltip. */
export { default as ScalarPlot } from "./scalar_card/ScalarPlot.svelte";
/** The state of scalar charts in the address: zoom, scales, limits, selected steps. */
export { ScalarChartState } from "./scalar_card/chart_state.svelte";
/** The scalar cards that people pinned, and the order of sections: by what they hold, or as a person moved them. */
export { CardArrangement } from "./scalar_card/card_arrangement.svelte";
/** Limits of an axis as a person types them. */
export type { TypedRange } from "./scalar_card/card_views";
/** The data of one scalar card. */
export { ScalarCardModel } from "./scalar_card/model.svelte";
/** Rows of histograms along the axis. */
export type { HistogramRow } from "../ui/histograms/rows";
/** The data of a card of histograms or distributions. */
export { CardData } from "../ui/histograms/card_data.svelte";
/** A card of histograms: its tag and runs. */
export type { HistogramCard } from "../ui/histograms/cards";
/** The board of histograms and of distributions. */
export { default as HistogramBoard } from "../ui/histograms/HistogramBoard.svelte";
/** The frame of a card of histograms. */
export { default as HistogramFrame } from "../ui/histograms/HistogramFrame.svelte";
/** How histograms are drawn, in the address. */
export type { Mode } from "../ui/histograms/settings.svelte";
