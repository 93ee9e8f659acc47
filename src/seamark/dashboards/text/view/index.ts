import { defineDashboard } from "$public/core";

export default defineDashboard({
  name: "text",
  view: () => import("./Text.svelte"),
  card: { kind: "text", view: () => import("./SeriesCard.svelte") },
});
