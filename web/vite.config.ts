import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative addresses: the page works under any --path_prefix and behind any proxy.
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "../src/seamark/serve/static",
    emptyOutDir: true,
    // No inlined data: addresses, no polyfill script: the page's content policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  server: { proxy: { "/api": "http://127.0.0.1:6006" } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
