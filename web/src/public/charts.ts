/** Charts: the component, its parts that compute, and the series to put into it. */

export { default as Chart } from "../chart/Chart.svelte";
export { default as ChartTooltip } from "../chart/Tooltip.svelte";
export { default as Plot } from "../chart/Plot.svelte";
export { warmCharts } from "../chart/layer/layer";
export { pointsWithin } from "../chart/domain";
export { frameOf, type Frame } from "../chart/frame";
export { NO_LIMITS, type Point } from "../chart/gesture";
export { rgbOf, token } from "../chart/look";
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
export { labelOf, ticksOf, ticksOfX } from "../chart/ticks";
export type { ChartSpec, Hover as ChartHover, SeriesStyle, DataWindow as ChartWindow } from "../chart/spec";
export { rangeX, rangeY, scaleFor, shownIn } from "../chart/spec";
export type { Limits } from "../chart/gesture";
export { rowOf } from "../chart/pick";
export { readWall, readX } from "../chart/read";
export { EMPTY_SET, firstOf, joinSets, seriesOf, type SeriesSet } from "../chart/series";
export { toPng } from "../chart/png";
export { toSvg } from "../chart/svg";
export { columnsFor, fetchWindow, MANY_RUNS, payloadAttempts, widthFor, type SeriesRequest } from "../data/series";
export { SeriesSource } from "../data/series_source.svelte";
export { PERCENTS, type HistogramBlock } from "../data/histograms";
export { fetchPins, keepPins } from "../data/series_pins";
export { exact, nearestRow, rowsOf, stepped, type HistogramRow } from "../ui/histograms/rows";
export { CardData } from "../ui/histograms/card_data.svelte";
export type { HistogramCard } from "../ui/histograms/cards";
export { default as HistogramBoard } from "../ui/histograms/HistogramBoard.svelte";
export { default as HistogramFrame } from "../ui/histograms/HistogramFrame.svelte";
export { HistogramSettings, type Mode } from "../ui/histograms/settings.svelte";
