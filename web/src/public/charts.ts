/** Charts for dashboards: the component, its parts that think, and the series to put into it. */

export { default as Chart } from "../chart/Chart.svelte";
export { default as ChartTooltip } from "../chart/Tooltip.svelte";
export type { ChartSpec, Hover as ChartHover, SeriesStyle, DataWindow as ChartWindow } from "../chart/spec";
export { rangeX, rangeY, scaleFor, shownIn } from "../chart/spec";
export type { Limits } from "../chart/gesture";
export type { Range, Scale, ScaleKind } from "../chart/scale";
export { rowOf } from "../chart/pick";
export { readWall, readX } from "../chart/read";
export { EMPTY_SET, joinSets, seriesOf, type SeriesInfo, type SeriesSet, type XUnit } from "../chart/series";
export { toPng } from "../chart/png";
export { toSvg } from "../chart/svg";
export { columnsFor, fetchWindow, MANY_RUNS, widthFor, type Attempts, type Kept, type SeriesWish } from "../data/series";
export { SeriesSource } from "../data/series_source.svelte";
export { fetchPins, keepPins } from "../data/series_pins";
