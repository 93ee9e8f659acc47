import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "video", view: () => import("./Video.svelte") });
