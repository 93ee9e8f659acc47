import { defineDashboard } from "$public/core";

/** Time series is every kind in one scroll; Scalars is the same page with the other kinds off. */
export default [
  defineDashboard({ name: "scalars", view: () => import("./Scalars.svelte") }),
  defineDashboard({ name: "timeseries", view: () => import("./TimeSeries.svelte") }),
];
