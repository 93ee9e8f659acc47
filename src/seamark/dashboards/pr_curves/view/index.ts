import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "pr_curves", view: () => import("./PrCurves.svelte") });
