import { defineDashboard } from "$public/core";

// The name is the folder's. The component is loaded when its tab is opened for the first time.
export default defineDashboard({ name: "skeleton", view: () => import("./View.svelte") });
