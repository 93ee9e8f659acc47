import { defineDashboard } from "$public/plugin";

export default defineDashboard({
  name: "audio",
  view: () => import("./Audio.svelte"),
  card: { kind: "audio", view: () => import("./SeriesCard.svelte") },
});
