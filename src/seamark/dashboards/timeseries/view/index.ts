import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "timeseries", view: () => import("./TimeSeries.svelte") });
