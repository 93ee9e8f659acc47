import { defineDashboard } from "$public/plugin";

export default defineDashboard({
  name: "images",
  view: () => import("./Images.svelte"),
  card: { kind: "images", view: () => import("./TagCard.svelte") },
});
