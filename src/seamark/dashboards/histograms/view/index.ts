import { defineDashboard } from "$public/plugin";

export default defineDashboard({
  name: "histograms",
  view: () => import("./Histograms.svelte"),
  card: { kind: "histograms", view: () => import("./HostedCard.svelte") },
});
