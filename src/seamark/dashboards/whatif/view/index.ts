import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "whatif", ownsRuns: true, view: () => import("./WhatIf.svelte") });
