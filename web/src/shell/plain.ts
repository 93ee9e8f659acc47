/** The contract for views without a framework: the same data, by get() and subscribe(). */

import type { Catalogue, DashboardContext, PlainContext, PlainSnapshot } from "../public/core";

export function snapshotOf({ runs, settings, theme }: DashboardContext, catalogue: Catalogue): PlainSnapshot {
  return {
    runs: catalogue.runs,
    shown: runs.shown,
    styles: Object.fromEntries(catalogue.runs.map(({ name }) => [name, runs.styleOf(name)])),
    focused: runs.focused,
    tags: Object.fromEntries(catalogue.kinds.map((kind) => [kind, catalogue.tags(kind)])),
    settings: { ...settings },
    theme,
    connected: catalogue.connected,
    changedAt: catalogue.changedAt,
  };
}

export function plainContext(
  context: DashboardContext,
  get: () => PlainSnapshot,
  listeners: Set<(snapshot: PlainSnapshot) => void>,
): PlainContext {
  return {
    name: context.name,
    get,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    address: (path) => new URL(`api/dashboards/${context.name}/${path.replace(/^\//, "")}`, document.baseURI).href,
    url: context.url,
    command: context.command,
  };
}
