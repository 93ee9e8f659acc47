import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "scalars", view: () => import("./Scalars.svelte") });
