/** Builds the page that measures and shows charts. It is never part of the bundle that ships. */

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [svelte()],
  build: { outDir: "../../build/chart-bench", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: "es2022" },
});
