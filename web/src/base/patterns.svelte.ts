/** Patterns in the page: what was not known without RE2 is computed again when it is here. Workers import patterns.ts. */

import { holdEngine, type LoadedEngine } from "./patterns";

class ReactiveEngine {
  engine: LoadedEngine = $state.raw(null);
}

holdEngine(new ReactiveEngine());

export * from "./patterns";
