/** Links in the head of the page to what it will request, so that the browser loads it together with the first script. */

/** As src/data/session.svelte.ts requests them on a first visit. */
const RESPONSES = ["progress", "runs", "tags", "problems", "dashboards", "state"].map((name) => `api/${name}`);

/** @returns {import("vite").Plugin} */
export function preloads() {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: () =>
        RESPONSES.map((address) => ({
          tag: "link",
          attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${address}` },
          injectTo: "head",
        })),
    },
  };
}
