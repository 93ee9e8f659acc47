import { pushView } from "../layers";

/** Escape calls `close` while `isOpen`, if nothing is open above it. Call it while a component is created. */
export function closeOnEscape(isOpen: () => boolean, close: () => void): void {
  const isShown = $derived(isOpen());
  $effect(() => (isShown ? pushView(close) : undefined));
}
