import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "graphs", view: () => import("./Graphs.svelte") });
