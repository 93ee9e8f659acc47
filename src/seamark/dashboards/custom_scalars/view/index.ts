import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "custom_scalars", view: () => import("./CustomScalars.svelte") });
