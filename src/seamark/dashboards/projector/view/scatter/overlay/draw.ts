/** Draws shapes on a canvas. */

import type { Shape } from "./shapes";

export interface DrawingContext {
  /** CSS colour of a token. */
  colour(token: string): string;
  readonly fontFamily: string;
  readonly sprite: CanvasImageSource | null;
}

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export const DASH: readonly number[] = [4, 3];
export const AREA_ALPHA = 0.07;
export const HALO_PX = 3;
export const MARK_RING_PX = 1.5;

export function drawShapes(pen: Pen, shapes: readonly Shape[], context: DrawingContext): void {
  for (const shape of shapes) {
    pen.globalAlpha = 1;
    pen.setLineDash([]);
    if (shape.type === "segments") drawSegments(pen, shape, context);
    else if (shape.type === "ring") drawRing(pen, shape, context);
    else if (shape.type === "text") drawText(pen, shape, context);
    else if (shape.type === "mark") drawMark(pen, shape);
    else if (shape.type === "ramp") drawRamp(pen, shape);
    else if (shape.type === "area") drawArea(pen, shape, context);
    else drawThumbnail(pen, shape, context);
  }
  pen.globalAlpha = 1;
}

type Of<Type extends Shape["type"]> = Extract<Shape, { type: Type }>;

function drawSegments(
  pen: Pen,
  { ends, colour, alpha, width, isDashed }: Of<"segments">,
  { colour: css }: DrawingContext,
): void {
  pen.strokeStyle = css(colour);
  pen.globalAlpha = alpha;
  pen.lineWidth = width;
  if (isDashed) pen.setLineDash([...DASH]);
  pen.beginPath();
  for (let at = 0; at + 3 < ends.length; at += 4) {
    pen.moveTo(ends[at]!, ends[at + 1]!);
    pen.lineTo(ends[at + 2]!, ends[at + 3]!);
  }
  pen.stroke();
}

function drawRing(pen: Pen, { at, radius, colour, width }: Of<"ring">, { colour: css }: DrawingContext): void {
  pen.beginPath();
  pen.arc(at.x, at.y, radius, 0, 2 * Math.PI);
  pen.strokeStyle = css("--surface");
  pen.lineWidth = width + 2;
  pen.stroke();
  pen.strokeStyle = css(colour);
  pen.lineWidth = width;
  pen.stroke();
}

function drawMark(pen: Pen, { at, radius, colour, isRing }: Of<"mark">): void {
  pen.beginPath();
  pen.arc(at.x, at.y, isRing ? radius - MARK_RING_PX / 2 : radius, 0, 2 * Math.PI);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = MARK_RING_PX;
  if (isRing) pen.stroke();
  else pen.fill();
}

function drawRamp(pen: Pen, { left, top, width, height, colours }: Of<"ramp">): void {
  const gradient = pen.createLinearGradient(left, 0, left + width, 0);
  for (const [at, colour] of colours.entries()) gradient.addColorStop(at / (colours.length - 1), colour);
  pen.fillStyle = gradient;
  pen.fillRect(left, top, width, height);
}

export const fontOf = (sizePx: number, isBold: boolean, family: string): string =>
  `${isBold ? 600 : 400} ${sizePx}px ${family}`;

function drawText(pen: Pen, { left, middle, text, sizePx, isBold, colour }: Of<"text">, context: DrawingContext): void {
  pen.font = fontOf(sizePx, isBold, context.fontFamily);
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.strokeStyle = context.colour("--surface");
  pen.lineWidth = HALO_PX;
  pen.strokeText(text, left, middle);
  pen.fillStyle = context.colour(colour);
  pen.fillText(text, left, middle);
}

function drawArea(pen: Pen, { polygon, isClosed }: Of<"area">, { colour: css }: DrawingContext): void {
  const { x, y } = polygon;
  if (x.length < 2) return;
  const last = x.length - 1;
  pen.strokeStyle = pen.fillStyle = css("--accent");
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let at = 0; at <= last; at += 1) pen.lineTo(x[at]!, y[at]!);
  if (isClosed) pen.closePath();
  pen.globalAlpha = AREA_ALPHA;
  pen.fill("evenodd");
  pen.globalAlpha = 1;
  pen.stroke();
  if (isClosed) return;
  pen.setLineDash([...DASH]);
  pen.beginPath();
  pen.moveTo(x[last]!, y[last]!);
  pen.lineTo(x[0]!, y[0]!);
  pen.stroke();
}

function drawThumbnail(pen: Pen, shape: Of<"thumbnail">, { sprite }: DrawingContext): void {
  if (!sprite) return;
  const { spriteX, spriteY, spriteWidth, spriteHeight, left, top, width, height } = shape;
  pen.globalAlpha = shape.alpha;
  pen.imageSmoothingEnabled = width < spriteWidth;
  pen.drawImage(sprite, spriteX, spriteY, spriteWidth, spriteHeight, left, top, width, height);
  if (shape.tint === null) return;
  pen.globalCompositeOperation = "multiply";
  pen.fillStyle = shape.tint;
  pen.fillRect(left, top, width, height);
  pen.globalCompositeOperation = "source-over";
}
