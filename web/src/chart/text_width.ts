/** Widths of texts in the font of the axes. */

const MAX_CACHED = 2000;
/** Where there is no page to measure on. */
const ESTIMATED_LETTER_PX = 5.6;

let canvas: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** In pixels. Every digit is as wide as a zero, as the axes draw them; so few texts have to be measured. */
export function textWidth(text: string): number {
  const shape = text.replace(/\d/g, "0");
  let width = widths.get(shape);
  if (width === undefined) {
    if (widths.size >= MAX_CACHED) widths.clear();
    widths.set(shape, (width = measure(shape)));
  }
  return width;
}

function measure(text: string): number {
  if (typeof document === "undefined") return text.length * ESTIMATED_LETTER_PX;
  canvas ??= canvasWithAxisFont();
  return canvas?.measureText(text).width ?? text.length * ESTIMATED_LETTER_PX;
}

function canvasWithAxisFont(): CanvasRenderingContext2D | null {
  const context = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(document.documentElement);
  if (context) context.font = `${style.getPropertyValue("--fs-axis")} ${style.getPropertyValue("--font")}`;
  return context;
}
