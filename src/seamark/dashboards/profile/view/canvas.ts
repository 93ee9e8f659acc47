/** A canvas in CSS pixels: sized for the screen, emptied, and drawn. */

export function paintCanvas(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  draw: (context: CanvasRenderingContext2D) => void,
): void {
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  draw(context);
}

/** For `context.font`: the page's own face. */
export const fontOf = (family: string, px = 10, weight = 400): string => `${weight} ${px}px ${family}`;
