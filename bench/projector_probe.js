// Runs in every frame of either viewer's page: sees when the points of the Projector are drawn.
(() => {
  /** Also below shadow roots, where TensorBoard's projector is, in a frame of its own. */
  function find(root, selector) {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const element of root.querySelectorAll("*")) {
      const below = element.shadowRoot && find(element.shadowRoot, selector);
      if (below) return below;
    }
    return null;
  }
  const projector = () => find(document, "vz-projector");
  const panel = () => find(document, "vz-projector-projections-panel").shadowRoot;
  const message = () => find(document, "#notify-msgs")?.innerText ?? "";
  const ours = () => performance.getEntriesByName("projector:ready")[0];
  /** TensorBoard has computed a projection of its points, and says that it works on nothing. */
  const isPeerReady = () => {
    const { projection, dataSet } = projector() ?? {};
    return Boolean(projection) && dataSet?.points.length > 0 && message() === "";
  };

  let isSeen = false;
  function look() {
    const mark = ours();
    // The points are on the screen with the frame after the one that sees them.
    if (mark) seamarkProjectorDrawn(performance.timeOrigin + mark.startTime);
    else if (isSeen) seamarkProjectorDrawn(performance.timeOrigin + performance.now());
    else isSeen = location.pathname.endsWith("projector_binary.html") && isPeerReady();
    if (!mark) requestAnimationFrame(look);
  }
  requestAnimationFrame(look);

  globalThis.seamarkProjector = {
    hasPeer: () => projector() !== null,
    /** Opens the tab of a method; t-SNE begins at once. UMAP takes all points, not only its first 5,000. */
    begin(method) {
      const { shuffledDataIndices } = projector().dataSet;
      shuffledDataIndices.slice = () => [...shuffledDataIndices];
      panel().querySelector(`.ink-tab[data-tab=${method}]`).click();
      if (method === "umap") panel().querySelector("#run-umap").click();
    },
    /** The last iteration of t-SNE. */
    iteration: () => projector().dataSet.tSNEIteration,
    /** UMAP has drawn its last epoch. */
    isUmapDone: () => projector().projection?.projectionType === "umap" && !message().includes("UMAP"),
  };
})();
