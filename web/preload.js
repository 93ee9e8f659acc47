/** What the page will ask for anyway, named in its head, so that the browser fetches it while the first script is still on its way. */

/** As src/data/session.svelte.ts asks for them on a first visit. */
const ANSWERS = ["progress", "runs", "tags", "problems", "dashboards", "state"].map((name) => `api/${name}`);
/** What an address without a tab opens. */
const USUAL_VIEW = "dashboards/scalars/view/TimeSeries.svelte";

/** @returns {import("vite").Plugin} */
export function preloads() {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = chunksOf(Object.values(bundle ?? {}));
        return [
          ...ANSWERS.map((address) => link({ rel: "preload", as: "fetch", crossorigin: true, href: `./${address}` })),
          ...chunks.map(({ fileName }) => link({ rel: "modulepreload", crossorigin: true, href: `./${fileName}` })),
          // Not their styles: browsers complain of those when another tab is opened, which does not use them.
        ];
      },
    },
  };
}

const link = (attrs) => ({ tag: "link", attrs, injectTo: "head" });

const isPage = ({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith("index.html");

/** The chunks of the usual view, itself and what it imports, without those that the page's own script brings. */
function chunksOf(outputs) {
  const chunks = new Map(outputs.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const imported = (file, seen = new Set()) => {
    if (!seen.has(file)) {
      seen.add(file);
      chunks.get(file)?.imports.forEach((further) => imported(further, seen));
    }
    return seen;
  };
  const named = [...chunks.values()].find(({ facadeModuleId }) =>
    facadeModuleId?.replaceAll("\\", "/").endsWith(USUAL_VIEW),
  );
  if (!named) throw new Error(`the view to preload is not there: ${USUAL_VIEW}`);
  const own = new Set([...chunks.values()].filter(isPage).flatMap(({ fileName }) => [...imported(fileName)]));
  return [...imported(named.fileName)].filter((file) => !own.has(file)).map((file) => chunks.get(file));
}
