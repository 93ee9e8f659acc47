import { defineDashboard } from "$public/core";

export default defineDashboard({
  name: "hparams",
  view: () => import("./Hparams.svelte"),
  ownsRuns: true,
  preloads: ["api/table/columns"],
});
