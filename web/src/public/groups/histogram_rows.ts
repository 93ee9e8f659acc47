import { PERCENTS } from "../../data/histograms";
import { exact, nearestRow, rowsOf, stepped } from "../../ui/histograms/rows";

/** Rows of histograms along the axis, and the percentiles that distributions draw. */
export const histogramRows = { of: rowsOf, nearest: nearestRow, stepped, exact, PERCENTS } as const;
