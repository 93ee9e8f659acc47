import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "scalars", view: () => import("./Scalars.svelte") });
