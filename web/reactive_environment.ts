/** For tests of reactive classes: Node, with Svelte compiled for the browser, so that $derived and $effect run. */

import type { Environment } from "vitest/runtime";

export default {
  name: "reactive",
  viteEnvironment: "client",
  setup(scope) {
    scope.window = scope; // Svelte reads the device's pixel ratio when it is imported
    return { teardown: () => void delete scope.window };
  },
} satisfies Environment;
