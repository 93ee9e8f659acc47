/** For tests of reactive classes: Node, with Svelte compiled for the browser, so that $derived and $effect run. */

import type { Environment } from "vitest/runtime";

export default {
  name: "reactive",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment;
