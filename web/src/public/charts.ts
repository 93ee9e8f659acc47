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
export { PERCENTS, rowsOfRun, type HistogramBlock, type HistogramRequest } from "../data/histograms";
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
export { CardData, type CardWindow } from "../ui/histograms/card_data.svelte";
export type { HistogramCard } from "../ui/histograms/cards";
export { default as HistogramBoard } from "../ui/histograms/HistogramBoard.svelte";
export { default as HistogramFrame } from "../ui/histograms/HistogramFrame.svelte";
export { HistogramSettings, type Mode } from "../ui/histograms/settings.svelte";
