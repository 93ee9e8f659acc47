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
export { EMPTY_SET, joinSets, seriesOf, withRowX, xAt, type SeriesSet } from "../chart/series";
export { rowColumn, type NumberColumn } from "../data/columns";
export { toPng } from "../chart/png";
export { toSvg } from "../chart/svg";
export { columnsFor, fetchWindow, MANY_RUNS, payloadAttempts, widthFor, type SeriesRequest } from "../data/series";
export { SeriesSource } from "../data/series_source.svelte";
export { PERCENTS, rowsOfRun, type HistogramBlock, type HistogramRequest } from "../data/histograms";
export { HistogramSource } from "../data/histogram_source.svelte";
export { fetchPins, savePins } from "../data/saved_state";
