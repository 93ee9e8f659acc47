/** A 2-D context with the colours and the fonts of the page. */

export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export interface DrawingContext {
  colour(token: string): string;
  readonly fontFamily: string;
}

export const fontOf = (sizePx: number, isBold: boolean, { fontFamily }: DrawingContext): string =>
  `${isBold ? 600 : 400} ${sizePx}px ${fontFamily}`;

/** The text, or its beginning with an ellipsis, so that it fits. The font of the pen is set. */
export function fitted(pen: Pen, text: string, maxPx: number): string {
  if (pen.measureText(text).width <= maxPx) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle)}…`).width <= maxPx) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low)}…`;
}

const PLATE_ALPHA = 0.9;

/** A label on a plate of the surface: the only text on a plot. `align`: which end of the label is at x. */
export function drawLabel(
  pen: Pen,
  {
    text,
    x,
    y,
    align,
    isBold = false,
  }: { text: string; x: number; y: number; align: "left" | "right"; isBold?: boolean },
  context: DrawingContext,
): void {
  pen.font = fontOf(11, isBold, context);
  const width = pen.measureText(text).width;
  const left = align === "left" ? x : x - width;
  pen.globalAlpha = PLATE_ALPHA;
  pen.fillStyle = context.colour("--surface");
  pen.fillRect(left - 3, y - 8, width + 6, 16);
  pen.globalAlpha = 1;
  pen.fillStyle = context.colour("--text");
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(text, left, y + 0.5);
}
