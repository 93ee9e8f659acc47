/** Links in the head of the page to what it will request, so that the browser loads it together with the first script. */

/** As src/data/session.svelte.ts requests them on a first visit. */
const RESPONSES = ["progress", "runs", "tags", "problems", "dashboards", "state"].map((name) => `api/${name}`);

/**
 * @param {string} usualView the component that an address without a tab opens; an entry of the build
 * @returns {import("vite").Plugin}
 */
export function preloads(usualView) {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = chunksOf(Object.values(bundle ?? {}), usualView);
        return [
          ...RESPONSES.map((address) => link({ rel: "preload", as: "fetch", crossorigin: true, href: `./${address}` })),
          ...chunks.map(({ fileName }) => link({ rel: "modulepreload", crossorigin: true, href: `./${fileName}` })),
          // Not their styles: browsers warn about those when another tab is opened, which does not use them.
        ];
      },
    },
  };
}

const link = (attrs) => ({ tag: "link", attrs, injectTo: "head" });

const isPage = ({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith("index.html");

/** The chunks of the usual view, itself and what it imports, without those that the page's own script imports. */
function chunksOf(outputs, usualView) {
  const chunks = new Map(outputs.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const imported = (file, seen = new Set()) => {
    if (!seen.has(file)) {
      seen.add(file);
      chunks.get(file)?.imports.forEach((further) => imported(further, seen));
    }
    return seen;
  };
  const entry = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.replaceAll("\\", "/") === usualView);
  if (!entry) throw new Error(`the view to preload is no entry of the build: ${usualView}`);
  const own = new Set([...chunks.values()].filter(isPage).flatMap(({ fileName }) => [...imported(fileName)]));
  return [...imported(entry.fileName)].filter((file) => !own.has(file)).map((file) => chunks.get(file));
}
