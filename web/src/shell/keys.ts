/** Keys as they are written in menus and on the `?` sheet: "Ctrl+K", "Shift+F", "[", "j". */

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export function nameOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const isLetter = /^\p{L}$/u.test(key);
  const name = key === " " ? "Space" : isLetter ? key.toLowerCase() : key;
  // Shift is part of a sign such as "?" already.
  const withShift = shiftKey && (isLetter || key.length > 1 || key === " ");
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${withShift ? "Shift+" : ""}${name}`;
}

export const isSameKey = (written: string, pressed: string): boolean => written.toLowerCase() === pressed.toLowerCase();

/** Whoever types means letters, not shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "range", "button", "color"].includes(target.type);
}
