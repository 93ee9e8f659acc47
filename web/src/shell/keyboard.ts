/** The one listener for all keys: Escape closes the topmost layer, then the details; a command runs by its key. */

import { closeTopmost, hasLayers } from "../ui/layers";
import type { Command } from "../public/core";
import type { PageSelection } from "./details/page_selection.svelte";
import { isSameKey, isTyping, nameOfKey } from "./keys";

/** These press whatever has the focus. */
const PRESSING = new Set(["Space", "Enter"]);

interface KeyTargets {
  readonly commands: { readonly all: readonly Command[] };
  readonly selection: Pick<PageSelection, "details" | "select">;
}

export function onKey(event: KeyboardEvent, { commands, selection }: KeyTargets): void {
  if (event.defaultPrevented || event.isComposing) return;
  const pressed = nameOfKey(event);
  if (pressed === "Escape") return escape(event, selection);
  const isShortcut = pressed.startsWith("Ctrl+");
  if (hasLayers() || (isTyping(event.target) && !isShortcut)) return;
  if (
    PRESSING.has(pressed) &&
    event.target instanceof Element &&
    event.target.closest("button, a, input, summary, [tabindex]")
  )
    return;
  // The second Ctrl+F is the browser's.
  if (pressed === "Ctrl+f" && document.activeElement?.id === "run-filter") return;
  const command = commands.all.findLast(({ keys }) => keys !== undefined && isSameKey(keys, pressed));
  if (!command) return;
  event.preventDefault();
  command.run();
}

function escape(event: KeyboardEvent, selection: KeyTargets["selection"]): void {
  if (closeTopmost()) event.preventDefault();
  else if (isTyping(event.target)) (event.target as HTMLElement).blur();
  else if (selection.details) {
    selection.select(null);
    event.preventDefault();
  }
}
