import { columnsFor, fetchWindow, widthFor } from "../../data/series";

/** Requests a window of a series, and decides on its columns and width. */
export const seriesRequests = { fetch: fetchWindow, columns: columnsFor, width: widthFor } as const;
