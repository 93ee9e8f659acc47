import { AS_LOGGED, stepped } from "../../base/smoothing";
import { columnsFor, fetchWindow, widthFor } from "../../data/series";

/** Requests a window of a series, and decides on its columns, width and smoothing. */
export const seriesRequests = {
  fetch: fetchWindow,
  columns: columnsFor,
  width: widthFor,
  AS_LOGGED,
  stepSmoothing: stepped,
} as const;
