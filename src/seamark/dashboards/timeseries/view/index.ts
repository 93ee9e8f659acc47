import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "timeseries", view: () => import("./TimeSeries.svelte") });
