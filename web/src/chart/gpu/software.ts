/** Draws marks with a 2-D canvas: where there is no GPU, and where its context was lost. */

import {
  channelsOf,
  colourAt,
  type AreaMark,
  type LinesMark,
  type Mark,
  type PointsMark,
  type RectsMark,
} from "../marks/marks";

export interface Size {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels for one CSS pixel. */
  readonly dpr: number;
}

type Pen = CanvasRenderingContext2D;

export function drawInSoftware(pen: Pen, size: Size, marks: readonly Mark[]): void {
  // A window may leave a card no height, and an image without pixels is an error.
  if (pen.canvas.width === 0 || pen.canvas.height === 0) return;
  for (let first = 0; first < marks.length;) {
    let end = first + 1;
    // Dots of neighbouring marks share one image: a matrix has dozens of cells.
    if (marks[first]!.type === "points") while (marks[end]?.type === "points") end += 1;
    const run = marks.slice(first, end);
    if (run[0]!.type === "points") drawPoints(pen, size, run as PointsMark[]);
    else drawPath(pen, run[0] as Exclude<Mark, PointsMark>);
    first = end;
  }
}

function drawPoints(pen: Pen, { width, height, dpr }: Size, marks: readonly PointsMark[]): void {
  const field = new DotField(Math.round(width * dpr), Math.round(height * dpr));
  for (const mark of marks) stampAll(field, mark, dpr);
  const scratch = new OffscreenCanvas(field.width, field.height);
  scratch.getContext("2d")!.putImageData(new ImageData(field.pixels, field.width, field.height), 0, 0);
  pen.drawImage(scratch, 0, 0, width, height);
}

function stampAll(field: DotField, mark: PointsMark, dpr: number): void {
  const { x, y, order, transform, radius, clip } = mark;
  const { scaleX, scaleY, offsetX, offsetY } = transform;
  const count = order?.length ?? x.length;
  for (let i = 0; i < count; i += 1) {
    const point = order ? order[i]! : i;
    const px = x[point]! * scaleX + offsetX;
    const py = y[point]! * scaleY + offsetY;
    if (!(px - px === 0 && py - py === 0)) continue; // not finite
    if (clip && (px < clip.left || px > clip.right || py < clip.top || py > clip.bottom)) continue;
    field.stamp(px * dpr, py * dpr, radius * dpr, colourAt(mark, point));
  }
}

/** Dots are blended into pixels one by one: tens of thousands in a frame, which no path of a canvas can do. */
export class DotField {
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint8ClampedArray(width * height * 4);
  }

  /** In device pixels; the colour as `pixelOf` makes it. */
  stamp(x: number, y: number, radius: number, colour: number): void {
    const { width, height, pixels } = this;
    const [red, green, blue] = [colour & 255, (colour >>> 8) & 255, (colour >>> 16) & 255];
    const alpha = (colour >>> 24) / 255;
    const reach = radius + 0.5;
    const left = Math.max(0, Math.floor(x - reach));
    const right = Math.min(width - 1, Math.ceil(x + reach));
    const top = Math.max(0, Math.floor(y - reach));
    const bottom = Math.min(height - 1, Math.ceil(y + reach));
    for (let row = top; row <= bottom; row += 1) {
      const dy = row + 0.5 - y;
      for (let column = left; column <= right; column += 1) {
        const dx = column + 0.5 - x;
        const covered = Math.min(1, reach - Math.sqrt(dx * dx + dy * dy)) * alpha;
        if (covered <= 0) continue;
        const at = (row * width + column) * 4;
        const behind = (pixels[at + 3]! / 255) * (1 - covered);
        const sum = covered + behind;
        pixels[at] = (red * covered + pixels[at]! * behind) / sum;
        pixels[at + 1] = (green * covered + pixels[at + 1]! * behind) / sum;
        pixels[at + 2] = (blue * covered + pixels[at + 2]! * behind) / sum;
        pixels[at + 3] = sum * 255;
      }
    }
  }
}

function drawPath(pen: Pen, mark: Exclude<Mark, PointsMark>): void {
  pen.save();
  if (mark.clip) {
    const { left, top, right, bottom } = mark.clip;
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
  }
  if (mark.type === "rects") drawRects(pen, mark);
  else if (mark.type === "lines") drawLines(pen, mark);
  else drawArea(pen, mark);
  pen.restore();
}

function drawRects(pen: Pen, mark: RectsMark): void {
  const { x0, x1, y0, y1, transform } = mark;
  const { scaleX, scaleY, offsetX, offsetY } = transform;
  for (let item = 0; item < x0.length; item += 1) {
    pen.fillStyle = cssOf(colourAt(mark, item));
    pen.fillRect(
      x0[item]! * scaleX + offsetX,
      y0[item]! * scaleY + offsetY,
      (x1[item]! - x0[item]!) * scaleX,
      (y1[item]! - y0[item]!) * scaleY,
    );
  }
}

function drawLines(pen: Pen, mark: LinesMark): void {
  const { x, y, isJoined, width, transform } = mark;
  pen.lineWidth = width;
  pen.lineCap = "round";
  let colour: number | null = null;
  for (let item = 0; item + 1 < x.length; item += isJoined ? 1 : 2) {
    const [from, to] = [pointOf(transform, x[item]!, y[item]!), pointOf(transform, x[item + 1]!, y[item + 1]!)];
    if (![...from, ...to].every(Number.isFinite)) continue;
    // Lines of one colour are one path.
    if (colour !== colourAt(mark, item)) {
      if (colour !== null) pen.stroke();
      colour = colourAt(mark, item);
      pen.strokeStyle = cssOf(colour);
      pen.beginPath();
    }
    pen.moveTo(...from);
    pen.lineTo(...to);
  }
  if (colour !== null) pen.stroke();
}

function drawArea(pen: Pen, { x, low, high, transform, colour }: AreaMark): void {
  pen.fillStyle = cssOf(colour);
  pen.beginPath();
  const isGap = (item: number): boolean => !Number.isFinite(x[item]! + low[item]! + high[item]!);
  for (let first = 0; first < x.length; first += 1) {
    if (isGap(first)) continue;
    let last = first;
    while (last + 1 < x.length && !isGap(last + 1)) last += 1;
    pen.moveTo(...pointOf(transform, x[first]!, low[first]!));
    for (let item = first + 1; item <= last; item += 1) pen.lineTo(...pointOf(transform, x[item]!, low[item]!));
    for (let item = last; item >= first; item -= 1) pen.lineTo(...pointOf(transform, x[item]!, high[item]!));
    pen.closePath();
    first = last;
  }
  pen.fill();
}

const pointOf = ({ scaleX, scaleY, offsetX, offsetY }: Mark["transform"], x: number, y: number): [number, number] => [
  x * scaleX + offsetX,
  y * scaleY + offsetY,
];

function cssOf(pixel: number): string {
  const [red, green, blue, alpha] = channelsOf(pixel);
  return `rgb(${red * 255} ${green * 255} ${blue * 255} / ${alpha})`;
}
