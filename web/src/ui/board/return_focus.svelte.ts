import { tick, untrack } from "svelte";
import type { BoardContext } from "./board_context.svelte";

/**
 * Cards and the view that replaces them remove each other, and with them the element that has the focus. The view takes
 * the focus when it opens; when it closes, the card from which it was opened takes it. Call it while a component is
 * created. `holdsFocus` says whether the focus is among the cards or in the view.
 */
export function returnFocus(board: BoardContext, isReplaced: () => boolean, holdsFocus: () => boolean): void {
  const now = $derived(isReplaced());
  let before = untrack(() => now);
  let card: string | null = null;
  let hadFocus = false;

  function change(): void {
    if (now) {
      card = board.full ?? board.at;
      hadFocus = holdsFocus();
    }
    const isLost = holdsFocus() || (hadFocus && document.activeElement === document.body);
    board.focusNext = isLost ? card : null;
    // A card that is scrolled into view later must not take it.
    void tick().then(() => (board.focusNext = null));
  }
  // Before the page changes: after it, the element that had the focus is gone.
  $effect.pre(() => {
    if (now !== before) untrack(change);
    before = now;
  });
}
