import { fetchHistograms, PERCENTS } from "../../data/histograms";
import { exact, nearestRow, rowsOf, stepped } from "../../ui/histograms/rows";

/** Requests histograms; their rows along the axis, and the percentiles that distributions draw. */
export const histogramRows = {
  fetch: fetchHistograms,
  of: rowsOf,
  nearest: nearestRow,
  stepped,
  exact,
  PERCENTS,
} as const;
