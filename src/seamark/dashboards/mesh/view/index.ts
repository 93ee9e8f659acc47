import { defineDashboard } from "$public/plugin";

export default defineDashboard({ name: "mesh", view: () => import("./Mesh.svelte") });
