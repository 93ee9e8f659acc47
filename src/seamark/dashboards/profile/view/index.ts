import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "profile", ownsRuns: true, view: () => import("./Profile.svelte") });
