/** The context for views of other packages: the same data and abilities, by get() and subscribe(). */

import type { Catalogue, DashboardContext } from "../public/core";
import { API_VERSION } from "../public/seamark_plugin";
import type { Snapshot, View, ViewContext } from "../public/view_types";
import { viewHosts } from "../public/view_hosts";

export function snapshotOf({ runs, settings, theme }: DashboardContext, catalogue: Catalogue): Snapshot {
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

export function viewContext(
  context: DashboardContext,
  get: () => Snapshot,
  listeners: Set<(snapshot: Snapshot) => void>,
): ViewContext {
  const { name, url, saved, address, linkTo, revisionOf, command } = context;
  const view: ViewContext = {
    apiVersion: API_VERSION,
    name,
    get,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    address,
    revisionOf,
    setFocus: (run) => context.runs.setFocus(run),
    url,
    saved,
    linkTo,
    command,
  };
  viewHosts.set(view, context);
  return view;
}

/** Only from this server: the content policy allows no other. */
export async function importView(address: string): Promise<View> {
  const module = (await import(/* @vite-ignore */ new URL(address, document.baseURI).href)) as { default?: View };
  if (typeof module.default?.mount !== "function")
    throw new Error(`its module has no default export with a mount function: '${address}'`);
  return module.default;
}
