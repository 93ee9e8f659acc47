import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "distributions", view: () => import("./Distributions.svelte") });
