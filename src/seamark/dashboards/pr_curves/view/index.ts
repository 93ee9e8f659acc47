import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "pr_curves", view: () => import("./PrCurves.svelte") });
