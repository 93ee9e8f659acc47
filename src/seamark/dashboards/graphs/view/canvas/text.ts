/** Widths of texts on the canvas, and texts made to fit. */

const MAX_CACHED = 20_000;
/** Where there is no page to measure on: the mean width of a letter, as a share of the size of the font. */
const ESTIMATED_LETTER = 0.54;

let context: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

export const fontOf = (family: string, size: number, weight: number): string => `${weight} ${size}px ${family}`;

/** In pixels at zoom 1. */
export function textWidth(text: string, size: number, weight: number): number {
  if (text === "") return 0;
  const key = `${weight} ${size} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= MAX_CACHED) widths.clear();
    widths.set(key, (width = measure(text, size, weight)));
  }
  return width;
}

function measure(text: string, size: number, weight: number): number {
  if (typeof document === "undefined") return text.length * size * ESTIMATED_LETTER;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * size * ESTIMATED_LETTER;
  const family = getComputedStyle(document.documentElement).getPropertyValue("--font");
  context.font = fontOf(family, size, weight);
  return context.measureText(text).width;
}

/** The text, or as much of its two ends as fits: names differ at the end as often as at the beginning. */
export function elide(text: string, room: number, size: number, weight: number): string {
  if (textWidth(text, size, weight) <= room) return text;
  const letters = Array.from(text);
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const count = (fits + tooMany) >> 1;
    if (textWidth(shortened(letters, count), size, weight) <= room) fits = count;
    else tooMany = count;
  }
  return fits === 0 ? "" : shortened(letters, fits);
}

function shortened(letters: readonly string[], count: number): string {
  const head = Math.ceil(count / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (count - head)).join("")}`;
}
