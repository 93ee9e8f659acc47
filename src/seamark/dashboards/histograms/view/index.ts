import { defineDashboard } from "$public/core";

export default defineDashboard({
  name: "histograms",
  view: () => import("./Histograms.svelte"),
  card: { kind: "histograms", view: () => import("./HostedCard.svelte") },
});
