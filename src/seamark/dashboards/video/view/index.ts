import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "video", view: () => import("./Video.svelte") });
