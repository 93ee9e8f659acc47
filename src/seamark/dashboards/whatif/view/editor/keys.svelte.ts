/** Keys of the editor: those of edits, and letters while no field has the focus; Explore has the letters too. */

import type { EditorModel } from "./editor_model.svelte";

export function editorKeys(editor: EditorModel, root: () => HTMLElement | undefined): (event: KeyboardEvent) => void {
  const handle = (event: KeyboardEvent, run: () => void): void => {
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const letters: Readonly<Record<string, () => void>> = {
    c: () => editor.near.select(),
    n: () => editor.near.toggleNeighbours(),
  };
  $effect(() => {
    const keys = { ...letters, enter: () => focusFirst(root()) };
    const removals = Object.entries(keys).map(([key, run]) => editor.page.addKey(key, run));
    return () => removals.forEach((remove) => remove());
  });
  return (event) => {
    if (editor.page.row === null || event.defaultPrevented || event.altKey) return;
    const target = event.target as HTMLElement;
    const isInside = root()?.contains(target) ?? false;
    const isField = target.matches("input, textarea, select, [contenteditable]");
    if (isField && !isInside) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z") return handle(event, () => (event.shiftKey ? editor.edits.redo() : editor.edits.undo()));
      if (key === "d") return handle(event, () => editor.edits.duplicate());
      if (key === "enter") return handle(event, () => editor.predictions.predictNow());
      return;
    }
    // Elsewhere letters are those of Explore or of the shell.
    const run = isInside && !isField ? letters[event.key.toLowerCase()] : undefined;
    if (run) handle(event, run);
  };
}

function focusFirst(root: HTMLElement | undefined): void {
  root?.querySelector<HTMLElement>("[data-feature] :is(input, select, textarea)")?.focus();
}
