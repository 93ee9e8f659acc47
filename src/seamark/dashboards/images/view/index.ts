import { defineDashboard } from "$public/core";

export default defineDashboard({
  name: "images",
  view: () => import("./Images.svelte"),
  card: { kind: "images", view: () => import("./TagCard.svelte") },
});
