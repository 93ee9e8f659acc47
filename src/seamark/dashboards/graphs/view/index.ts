import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "graphs", ownsRuns: true, view: () => import("./Graphs.svelte") });
