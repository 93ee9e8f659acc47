/** A few lines with a canvas' own strokes: envelopes and raw values faint behind, curves on top. */

import { longest, type Projection } from "./project";
import { DASHED, REPLACED, REPLACED_ALPHA, type Columns, type Style } from "./scene";

export type Canvas2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Dash and gap, as --dash-b has them. */
export const DASH: readonly [number, number] = [5, 2.5];

export const cssColour = (rgb: number): string => `#${rgb.toString(16).padStart(6, "0")}`;

/** Above this many corners a line is one device pixel thin: anything wider takes a software canvas ten times as long. */
const MAX_THICK_CORNERS = 12_000;

export interface StrokeJob {
  readonly pen: Canvas2D;
  readonly columns: Columns;
  readonly style: Style;
  readonly at: Projection;
  readonly dpr: number;
}

export interface LineOptions {
  readonly alpha: number;
  /** In CSS pixels. */
  readonly width: number;
  readonly dashes: boolean;
}

export function strokeLines(job: StrokeJob, indexes: readonly number[], options: LineOptions): void {
  const { pen, columns, style, at, dpr } = job;
  const scratch: Scratch = {
    y: new Float32Array(longest(columns.offsets)),
    other: new Float32Array(longest(columns.offsets)),
  };
  pen.lineJoin = "round";
  pen.lineCap = "butt";
  for (const index of indexes) if (style.underlay.includes(index)) strokeFaint(job, index, scratch);
  let corners = 0;
  for (const index of indexes) corners += columns.offsets[index + 1]! - columns.offsets[index]!;
  pen.lineWidth = corners > MAX_THICK_CORNERS ? 1 : Math.max(1, options.width * dpr);
  for (const index of indexes) {
    at.select(index);
    pen.globalAlpha = style.flags[index]! & REPLACED ? options.alpha * REPLACED_ALPHA : options.alpha;
    pen.strokeStyle = pen.fillStyle = cssColour(style.colours[index]!);
    pen.setLineDash(options.dashes && style.flags[index]! & DASHED ? DASH.map((length) => length * dpr) : []);
    tracePath(pen, at, at.y(columns.curve, scratch.y));
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

interface Scratch {
  readonly y: Float32Array;
  readonly other: Float32Array;
}

/** The envelope where rows are downsampled, else the raw line behind a smoothed one. */
function strokeFaint({ pen, columns, style, at, dpr }: StrokeJob, index: number, scratch: Scratch): void {
  at.select(index);
  pen.strokeStyle = pen.fillStyle = cssColour(style.colours[index]!);
  if (columns.low && columns.high && isOpen(columns, at)) {
    pen.globalAlpha = style.fillAlpha;
    fillBetween(pen, at, at.y(columns.high, scratch.y), at.y(columns.low, scratch.other));
  } else if (columns.raw) {
    pen.globalAlpha = style.look.rawAlpha;
    pen.lineWidth = Math.max(1, Math.round(dpr));
    tracePath(pen, at, at.y(columns.raw, scratch.y));
    pen.stroke();
  }
}

function isOpen({ low, high }: Columns, { first, count }: Projection): boolean {
  for (let row = first; row < first + count; row += 1) if (low![row]! < high![row]!) return true;
  return false;
}

/** A gap where values are not finite: a line across it would claim what nobody measured. A point alone becomes a dot. */
function tracePath(pen: Canvas2D, { px, count }: Projection, py: Float32Array): void {
  pen.beginPath();
  let length = 0;
  for (let k = 0; k < count; k += 1) {
    const y = py[k]!;
    if (y !== y) {
      length = 0;
      continue;
    }
    if (length > 0) pen.lineTo(px[k]!, y);
    else pen.moveTo(px[k]!, y);
    length += 1;
    const endsHere = k + 1 === count || py[k + 1] !== py[k + 1];
    if (endsHere && length === 1) dotAlone(pen, px[k]!, y);
  }
}

function dotAlone(pen: Canvas2D, x: number, y: number): void {
  pen.moveTo(x - 0.75, y);
  pen.lineTo(x + 0.75, y);
}

function fillBetween(pen: Canvas2D, { px, count }: Projection, top: Float32Array, bottom: Float32Array): void {
  pen.beginPath();
  let start = -1;
  for (let k = 0; k <= count; k += 1) {
    const whole = k < count && top[k] === top[k] && bottom[k] === bottom[k];
    if (whole && start < 0) start = k;
    if (whole || start < 0) continue;
    pen.moveTo(px[start]!, top[start]!);
    for (let right = start + 1; right < k; right += 1) pen.lineTo(px[right]!, top[right]!);
    for (let left = k - 1; left >= start; left -= 1) pen.lineTo(px[left]!, bottom[left]!);
    pen.closePath();
    start = -1;
  }
  pen.fill();
}
