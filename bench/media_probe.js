// Runs in the page of either viewer before its own scripts: counts what is on the screen, in shadow roots too.
(() => {
  const LOOK_MS = 40;
  // TensorBoard shows twelve of a group unless told otherwise.
  try {
    for (const key of ["_tb_global_settings", "_tb_global_settings.timeseries"]) localStorage.setItem(key, '{"paginationSize":20}');
  } catch {
    // A blank page has none.
  }
  let lastAsked = performance.now();
  new PerformanceObserver((list) => {
    for (const { responseEnd } of list.getEntries()) lastAsked = Math.max(lastAsked, responseEnd);
  }).observe({ type: "resource", buffered: true });

  const roots = new Set([document]);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    roots.add(root);
    return root;
  };

  function onScreen(element) {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && Math.min(bottom, innerHeight) > Math.max(top, 0);
  }

  const state = { count: 0, visible: 0, changed: 0 };
  const reached = new Map();
  function look(selector, test) {
    // A selector of two parts may begin outside of the root that the element is in.
    const last = selector.split(" ").at(-1);
    const hosts = selector.split(" ").slice(0, -1).join(" ");
    const belongs = (root, element) =>
      hosts === "" || element.closest(hosts) !== null || (root !== document && root.host.matches(hosts));
    const visible = [...roots].flatMap((root) =>
      [...root.querySelectorAll(last)].filter((element) => belongs(root, element) && onScreen(element)));
    const count = visible.filter(test).length;
    const now = performance.now();
    if (count !== state.count || visible.length !== state.visible) state.changed = now;
    for (let number = 1; number <= count; number += 1) if (!reached.has(number)) reached.set(number, now);
    Object.assign(state, { count, visible: visible.length });
    setTimeout(look, LOOK_MS, selector, test);
  }

  globalThis.seamarkMedia = {
    watch: look,
    read: () => ({ ...state, now: performance.now() }),
    reached: (number) => reached.get(number) ?? null,
    quietMs: () => performance.now() - lastAsked,
  };
})();
