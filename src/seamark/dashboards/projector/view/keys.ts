/** The keys of the Projector while its picture or its table has the focus. */

import { pressInspectorKey } from "./inspector/keys";
import type { ProjectorModel } from "./projector_model.svelte";

type KeyActions = Readonly<Record<string, (model: ProjectorModel) => void>>;

/** What the page does itself. */
export interface PageActions {
  /** Moves the focus to the controls, and opens their drawer on a narrow page. */
  controls(): void;
}

/** Moves the focus to the search; false if there is none. */
export function pressFind(): boolean {
  const field = document.querySelector<HTMLInputElement>("#projector-find");
  field?.select();
  return field !== null;
}

const ACTIONS: KeyActions = {
  "/": () => pressFind(),
  v: (model) => model.setTool("pan"),
  b: (model) => model.setTool("box"),
  s: (model) => model.setTool("lasso"),
  "2": (model) => model.setDims(2),
  "3": (model) => model.setDims(3),
  i: (model) => model.addFilter("isolate"),
  h: (model) => model.addFilter("hide"),
  a: (model) => model.clearFilters(),
  " ": (model) => model.along.play(),
  l: (model) => model.set("labels", model.hasLabels ? "0" : undefined),
  "ctrl+z": (model) => model.removeLastFilter(),
  escape: (model) => clear(model),
};

/** The topmost thing: the inspected point, then the selection, then the search. */
function clear(model: ProjectorModel): void {
  if (model.inspected !== null) model.inspect(null);
  else if (model.selected.length > 0) model.select(new Uint32Array());
  else model.find.set("");
}

const canClear = (model: ProjectorModel): boolean =>
  model.selected.length > 0 || model.inspected !== null || model.find.text !== "";

/** Whether the key was handled. */
export function pressKey(event: KeyboardEvent, model: ProjectorModel, page: PageActions): boolean {
  if (pressInspectorKey(event, model)) return true;
  if (!isInFocus(event.target) || event.altKey || event.metaKey || event.defaultPrevented) return false;
  const name = (event.ctrlKey ? "ctrl+" : "") + event.key.toLowerCase();
  const action = name === "c" ? page.controls : ACTIONS[name];
  if (!action || event.shiftKey || (name === "escape" && !canClear(model))) return false;
  action(model);
  return true;
}

/** The picture or the table itself: not a field or a button beside it. */
const isInFocus = (target: EventTarget | null): boolean =>
  target instanceof Element && !target.closest("input, textarea, select, button, [contenteditable]");
