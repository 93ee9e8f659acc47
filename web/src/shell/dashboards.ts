/** The views that were built into this page, each loaded when its tab is opened. */

import type { CardLoader, DashboardView } from "../public/plugin";

const built = import.meta.glob<{ default: DashboardView }>(
  ["../../../src/seamark/dashboards/*/view/index.ts", "!../../../src/seamark/dashboards/skeleton/view/index.ts"], { eager: true });
const views = new Map(Object.values(built).map(({ default: view }) => [view.name, view]));

export const viewOf = (name: string): DashboardView | undefined => views.get(name);

/** What an address without a tab opens, as a rule. */
const USUAL = "timeseries";

/** Begins to load the view that the address names, before the server has said what there is to see. */
export function prefetchView(tab: string): void {
  // A failure is told when the view is mounted.
  void viewOf(tab === "" ? USUAL : tab)?.view().catch(() => undefined);
}

const cards = new Map([...views.values()].flatMap(({ card }) => (card ? [[card.kind, card.view] as const] : [])));

export const cardOf = (kind: string): CardLoader | undefined => cards.get(kind);
