/** The views that were built into this page, each loaded when its tab is opened. */

import { beginRequest } from "../data/request";
import type { CardLoader, DashboardView } from "../public/core";

const built = import.meta.glob<DashboardView | readonly DashboardView[]>(
  ["../../../src/seamark/dashboards/*/view/index.ts", "!../../../src/seamark/dashboards/skeleton/view/index.ts"],
  { eager: true, import: "default" },
);
const views = new Map(
  Object.values(built)
    .flat()
    .map((view) => [view.name, view]),
);

export const viewOf = (name: string): DashboardView | undefined => views.get(name);

/** What an address without a tab opens, as a rule. */
const USUAL = "timeseries";

/** Begins to load the view that the address names, before the server has said what there is to see. */
export async function prefetchView(tab: string): Promise<void> {
  const name = tab === "" ? USUAL : tab;
  viewOf(name)?.preloads?.forEach(beginRequest);
  // A failure is told when the view is mounted.
  const loaded = await viewOf(name)
    ?.view()
    .catch(() => undefined);
  if (loaded) prefetched.set(name, loaded.default);
}

const prefetched = new Map<string, Awaited<ReturnType<DashboardView["view"]>>["default"]>();
/** At hand at once: a promise, even of what is loaded, lets the browser draw the page without it first. */
export const prefetchedView = (name: string) => prefetched.get(name);

const cards = new Map([...views.values()].flatMap(({ card }) => (card ? [[card.kind, card.view] as const] : [])));

export const cardOf = (kind: string): CardLoader | undefined => cards.get(kind);
