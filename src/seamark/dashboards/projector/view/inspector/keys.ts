/** The keys that walk through neighbours, which also work while a button of the inspector has the focus. */

interface WalkedModel {
  readonly inspected: number | null;
  readonly neighbourhood: { readonly current: number | null; step(by: 1 | -1): void };
  readonly canGoBack: boolean;
  inspect(row: number): void;
  back(): void;
}

/** Whether the key was handled: `N` and `Shift+N` walk through the list, Enter inspects what is reached, Backspace goes back. */
export function pressInspectorKey(event: KeyboardEvent, model: WalkedModel): boolean {
  const { key, shiftKey, target } = event;
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  if (isOther || model.inspected === null || isIn(target, "input, textarea, select, [contenteditable]")) return false;
  const { current } = model.neighbourhood;
  if (key.toLowerCase() === "n") model.neighbourhood.step(shiftKey ? -1 : 1);
  else if (key === "Backspace" && model.canGoBack) model.back();
  else if (key === "Enter" && current !== null && !isIn(target, "button, a")) model.inspect(current);
  else return false;
  return true;
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
