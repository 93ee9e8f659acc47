import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "distributions", view: () => import("./Distributions.svelte") });
