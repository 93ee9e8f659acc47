// Runs in the page of either viewer beside probe.js: sees when a graph is drawn, and how long a change of it takes.
(() => {
  /**
   * TensorBoard's scene is below shadow roots. While it loads, the graph has a tenth of its opacity below a progress bar,
   * and its page is mostly too busy to draw even that: then there is no scene yet.
   */
  function scene() {
    const board = document.querySelector("tf-graph-dashboard")?.shadowRoot?.querySelector("tf-graph-board")?.shadowRoot;
    if (!board || board.querySelector(".container.loading")) return null;
    return board.querySelector("tf-graph")?.shadowRoot?.querySelector("tf-graph-scene")?.shadowRoot ?? null;
  }

  const canvas = () => document.querySelector("[aria-roledescription=graph] canvas");
  /** How many boxes are drawn; 0 before the first view. */
  const boxes = () => Number(canvas()?.dataset.boxes ?? scene()?.querySelectorAll("g.node").length ?? 0);

  let first = null;
  let wanted = null;
  function look() {
    // Not the time that the frame was due, which is long ago if the page was busy.
    const at = performance.now();
    const count = boxes();
    if (count > 0 && first === null) {
      first = performance.getEntriesByName("graphs:ready")[0]?.startTime ?? at;
      // Called, not polled: a page that is busy answers no polls.
      seamarkGraphDrawn(first);
    }
    // A change is on the screen with the frame after the one that sees it.
    if (wanted?.seen) wanted.took ??= at - wanted.begun;
    else if (wanted && wanted.begun !== null && count !== wanted.before) wanted.seen = true;
    requestAnimationFrame(look);
  }
  requestAnimationFrame(look);

  globalThis.seamarkGraph = {
    /** Starts the clock with the next event of this type. */
    expect(type) {
      wanted = { before: boxes(), begun: null, seen: false, took: null };
      const begin = () => (wanted.begun ??= performance.now());
      addEventListener(type, begin, { capture: true, once: true });
    },
    took: () => wanted?.took ?? null,
    /** The middle of a group that TensorBoard draws. */
    middleOf(name) {
      const box = scene().querySelector(`g.node[data-name="${name}"]`).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    },
    stage() {
      const { x, y, width, height } = (canvas() ?? scene().querySelector("svg")).getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    },
  };
})();
