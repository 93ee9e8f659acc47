import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "timeseries", view: () => import("../../scalars/view/Scalars.svelte") });
