/** The keys of Graphs while the canvas has the focus. The canvas takes its own first: arrows, Enter and zoom. */

import type { GraphModel } from "./graph_model.svelte";

/** What the page does itself. */
export interface PageActions {
  /** Moves the focus to the search field, and opens its drawer on a narrow page. */
  search(): void;
}

type KeyActions = Readonly<Record<string, (model: GraphModel, page: PageActions) => void>>;

const ACTIONS: KeyActions = { "/": (_, page) => page.search(), y: (model) => model.layersPanel.toggle() };

const ACTIONS_ON_SELECTED: KeyActions = {
  i: (model) => model.traceFrom("inputs"),
  o: (model) => model.traceFrom("outputs"),
  "[": (model) => addHops(model, -1),
  "]": (model) => addHops(model, 1),
  p: (model) => model.pickEnd(!model.isPickingEnd),
  s: (model) => stackAround(model),
};

function addHops(model: GraphModel, change: number): void {
  const { tracing } = model;
  if (tracing && tracing.direction !== "path") model.traceFrom(tracing.direction, Math.max(1, tracing.hops + change));
}

function stackAround(model: GraphModel): void {
  const group = model.unstackedAround(model.selected!);
  if (group !== null) model.stack(group);
}

/** The topmost thing: the choice of a path's end, then the trace, then the selection. */
function clear(model: GraphModel): boolean {
  if (model.isPickingEnd) model.pickEnd(false);
  else if (model.tracing) model.clearTrace();
  else if (model.selected !== null) model.select(null);
  else return false;
  return true;
}

/** Whether the key was handled. */
export function pressKey(event: KeyboardEvent, model: GraphModel, page: PageActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Escape") return clear(model);
  if (key === "Enter" && event.shiftKey && model.selected !== null) model.openBelow(model.selected);
  else if (key === "g" && (model.selected !== null || model.isolated.length > 0))
    model.isolate(model.isolated.length > 0 ? null : model.selected);
  else if (ACTIONS[key]) ACTIONS[key](model, page);
  else if (ACTIONS_ON_SELECTED[key] && model.selected !== null) ACTIONS_ON_SELECTED[key](model, page);
  else return false;
  return true;
}
