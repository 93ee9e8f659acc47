import { defineDashboard } from "$public/core";

export default defineDashboard({ name: "mesh", view: () => import("./Mesh.svelte") });
