import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { thirdPartyNotices } from "./notices.js";
import { PLUGIN_ENTRY, PLUGIN_SOURCE, pluginModule } from "./plugin_module.js";
import { preloads } from "./preload.js";

/** A path beside this file. */
const here = (path: string): string => decodeURIComponent(new URL(path, import.meta.url).pathname);
const DASHBOARDS = here("../src/seamark/dashboards/");
const isPackage = (name: string): boolean => /^[a-z@]/i.test(name) && !name.includes(":");

/** Views lie outside this folder, beside their Python; the packages they are compiled to use lie in here. */
function packagesForDashboards(): Plugin {
  return {
    name: "packages-for-dashboards",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer?.startsWith(DASHBOARDS) || !isPackage(source)) return null;
      return this.resolve(source, here("./src/main.ts"), { ...options, skipSelf: true });
    },
  };
}

/** KaTeX brings every face in three formats; every browser that runs this page reads the first. */
function oneFontFormat(): Plugin {
  return {
    name: "one-font-format",
    enforce: "pre",
    transform: (code, id) =>
      id.includes("katex.css") ? code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[^"]*"\)/g, "") : null,
  };
}

/**
 * Few files: each is a request, which costs a browser and a server more than the bytes it saves. The first is all that is loaded
 * before the first chart; the others hold what several late views share.
 */
const GROUPS = [
  { name: "main", tags: ["$initial" as const], priority: 1 },
  { name: "surface", test: /[\\/](?:kdbush|chart)[\\/]/, minShareCount: 2 },
  { name: "tables", test: /[\\/]ui[\\/](?:grid|query)[\\/]/, minShareCount: 2 },
  { name: "boards", test: /[\\/]web[\\/]src[\\/](?:base|data|public|ui[\\/](?!histograms))/, minShareCount: 2 },
  {
    name: "histograms",
    test: /[\\/]dashboards[\\/](?:histograms|distributions)[\\/]view[\\/](?!index\.ts)|[\\/]ui[\\/]histograms[\\/]/,
  },
  { name: "pages", test: /[\\/]shell[\\/](?:run|compare|details)[\\/]/, minShareCount: 2 },
];
const notices = thirdPartyNotices();

export default defineConfig(({ mode }) => ({
  // Relative addresses: the page works under any --path_prefix and behind any proxy.
  base: "./",
  plugins: [packagesForDashboards(), oneFontFormat(), svelte(), notices.page, pluginModule(), preloads()],
  resolve: {
    alias: { $public: here("./src/public") },
    // Tests run in Node, which would load Svelte for servers, where nothing is reactive.
    ...(mode === "test" ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: "../src/seamark/serve/static",
    emptyOutDir: true,
    // No inlined data: addresses, no polyfill script: the page's content policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    rolldownOptions: {
      input: { index: here("./index.html"), [PLUGIN_ENTRY]: here(`./${PLUGIN_SOURCE}`) },
      // Views of other packages import the interface by its name.
      preserveEntrySignatures: "exports-only",
      output: {
        codeSplitting: { groups: GROUPS },
        entryFileNames: ({ name }) => (name === PLUGIN_ENTRY ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es", plugins: () => [notices.worker] },
  server: {
    // With the page's own Host: the server rejects changes by pages of another one.
    proxy: { "/api": { target: "http://127.0.0.1:6006", changeOrigin: false } },
    fs: { allow: [here("."), DASHBOARDS] },
  },
  test: {
    include: ["*.test.ts", "src/**/*.test.ts", "../src/seamark/dashboards/*/view/**/*.test.ts"],
    environment: here("./reactive_environment.ts"),
    // A thread for each file starts in two thirds of the time of a process.
    pool: "threads",
    // Its colours are tested; other style sheets are left out.
    css: { include: /tokens\.css/ },
  },
}));
