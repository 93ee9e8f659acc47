/** The keys of the inspector, which work while a picture or the inspector has the focus. */

import type { ProjectorModel } from "../projector_model.svelte";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");

/** `N` and `Shift+N` walk through the list of neighbours, Enter inspects the one that is reached, Backspace goes back. */
export function onInspectorKey(event: KeyboardEvent, model: ProjectorModel): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (model.inspected === null || !run(event, model)) return;
  event.preventDefault();
}

function run({ key, shiftKey, target }: KeyboardEvent, model: ProjectorModel): boolean {
  const { neighbourhood } = model;
  if (key.toLowerCase() === "n") neighbourhood.step(shiftKey ? -1 : 1);
  else if (key === "Backspace") model.back();
  else if (key === "Enter" && neighbourhood.current !== null && !isButton(target)) model.inspect(neighbourhood.current);
  else return false;
  return true;
}

const isButton = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("button, a") !== null;
