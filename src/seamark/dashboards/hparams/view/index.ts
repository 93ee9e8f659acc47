import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "hparams", view: () => import("./Hparams.svelte"), ownsRuns: true });
