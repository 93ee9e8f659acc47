/** The keys of the trace while its canvas has the focus, which it takes from the pointer. */

import type { TraceModel } from "./trace_model.svelte";

const ZOOM = 1.3;
const PAN_SHARE = 0.15;

type KeyActions = Readonly<Record<string, (model: TraceModel) => void>>;

const ACTIONS: KeyActions = {
  w: ({ viewport }) => viewport.zoom(1 / ZOOM),
  s: ({ viewport }) => viewport.zoom(ZOOM),
  a: ({ viewport }) => viewport.panPx(-viewport.width * PAN_SHARE),
  d: ({ viewport }) => viewport.panPx(viewport.width * PAN_SHARE),
  f: (model) => model.fitSelected(),
  m: (model) => model.markSelected(),
  "[": (model) => model.goToStep(-1),
  "]": (model) => model.goToStep(1),
  j: (model) => model.goToLongest(),
  enter: (model) => model.goToMatch(1),
  "shift+enter": (model) => model.goToMatch(-1),
  p: (model) => model.pinTrack(),
  v: (model) => model.setView(model.view === "table" ? "chart" : "table"),
  "/": () => document.querySelector<HTMLInputElement>("#trace-find")?.select(),
  "0": ({ viewport }) => viewport.showAll(),
  arrowleft: (model) => void model.goNear("previous"),
  arrowright: (model) => void model.goNear("next"),
  arrowup: (model) => void model.goNear("parent"),
  arrowdown: (model) => void model.goNear("child"),
};

/** Whether the key was handled. */
export function pressKey(event: KeyboardEvent, model: TraceModel): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const key = event.key.toLowerCase();
  if (key === "escape") return model.clear();
  const action = ACTIONS[event.shiftKey && key === "enter" ? "shift+enter" : key];
  if (!action) return false;
  action(model);
  return true;
}
