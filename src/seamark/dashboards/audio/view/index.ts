import { defineDashboard } from "$public/core";

export default defineDashboard({
  name: "audio",
  view: () => import("./Audio.svelte"),
  card: { kind: "audio", view: () => import("./SeriesCard.svelte") },
});
