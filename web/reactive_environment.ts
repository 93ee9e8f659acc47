/** For tests of reactive classes: Node, with Svelte compiled for the browser, so that $derived and $effect run. */

import type { Environment } from "vitest/runtime";

export default {
  name: "reactive",
  viteEnvironment: "client",
  setup(scope) {
    // svelte/reactivity/window reads them when it is imported.
    Object.assign(scope, { window: scope, matchMedia: () => new EventTarget() });
    return { teardown: () => void (delete scope.window, delete scope.matchMedia) };
  },
} satisfies Environment;
