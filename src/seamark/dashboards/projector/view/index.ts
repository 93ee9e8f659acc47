import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "projector", ownsRuns: true, view: () => import("./Projector.svelte") });
