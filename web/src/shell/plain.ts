/** The context for views of other packages: the same data and abilities, by get() and subscribe(). */

import { fetchRun } from "../data/run";
import type { Catalogue, DashboardContext } from "../public/core";
import { API_VERSION } from "../public/seamark_plugin";
import type { Snapshot, ViewContext } from "../public/view_types";
import { viewHosts } from "../public/view_hosts";
import { apiAddress } from "./route_address";

export function snapshotOf({ runs, settings, selection, theme }: DashboardContext, catalogue: Catalogue): Snapshot {
  return {
    runs: catalogue.runs.map((run) => ({ ...run, status: runs.statusOf(run.name) ?? null })),
    shown: runs.shown,
    styles: Object.fromEntries(catalogue.runs.map(({ name }) => [name, runs.styleOf(name)])),
    focused: runs.focused,
    selected: selection.item,
    tags: Object.fromEntries(catalogue.kinds.map((kind) => [kind, catalogue.tags(kind)])),
    settings: { ...settings },
    theme,
    connected: catalogue.connected,
    changedAt: catalogue.changedAt,
  };
}

interface Page {
  readonly get: () => Snapshot;
  readonly listeners: Set<(snapshot: Snapshot) => void>;
  readonly linkToRun: (run: string) => string;
}

export function viewContext(context: DashboardContext, { get, listeners, linkToRun }: Page): ViewContext {
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
    apiAddress,
    loadConfig: async (run, signal) => (await fetchRun(run, signal)).params,
    revisionOf,
    setFocus: (run) => context.runs.setFocus(run),
    select: (item) => context.selection.select(item),
    url,
    saved,
    linkTo,
    linkToRun,
    command,
  };
  viewHosts.set(view, context);
  return view;
}
