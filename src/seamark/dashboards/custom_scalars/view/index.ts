import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "custom_scalars", view: () => import("./CustomScalars.svelte") });
