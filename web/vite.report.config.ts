/** Builds the page of `seamark export html`: one script and one style sheet, which Python puts into the file with the data. */

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { thirdPartyNotices } from "./notices.js";

const here = (path: string): string =>
  decodeURIComponent(new URL(path, import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
/** A file without a server has no workers, and is to be small. */
const STAND_INS: Readonly<Record<string, string>> = {
  "./executor": "./src/report/no_workers.ts",
  "./typeset": "./src/report/no_typeset.ts",
};

function standIns(): Plugin {
  return {
    name: "stand-ins",
    enforce: "pre",
    resolveId: (source) => (STAND_INS[source] ? here(STAND_INS[source]) : null),
  };
}

export default defineConfig({
  plugins: [standIns(), svelte(), thirdPartyNotices().page],
  publicDir: false,
  build: {
    outDir: "../src/seamark/serve/static/report",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: "es2022",
    cssCodeSplit: false,
    rollupOptions: {
      input: here("./src/report/main.ts"),
      output: { format: "iife", entryFileNames: "report.js", assetFileNames: "report[extname]" },
    },
  },
});
