/** Marks on top of lines: triangles on the baseline for NaN and infinity, a dot where a run is being written or has one point. */

import type { NumberColumn } from "../../data/columns";
import type { Projection } from "./project";
import { LIVE, SHOWN } from "./scene";
import { cssColour, type StrokeJob } from "./strokes";

/** Triangles closer than this are one. */
const NEAR_PX = 4;
const TRIANGLE = { halfWidth: 4.5, height: 8 };

/** Among many lines one triangle per place is enough, whichever run it belongs to. */
export function drawTriangles(job: StrokeJob, mergeRuns: boolean): void {
  const {
    columns: { marks, offsets },
    style,
    at,
    dpr,
  } = job;
  let series = 0;
  const taken = new Set<number>();
  for (const row of marks) {
    while (row >= offsets[series + 1]!) {
      series += 1;
      if (!mergeRuns) taken.clear();
    }
    if (!(style.flags[series]! & SHOWN)) continue;
    const x = at.xOfRow(series, row);
    const place = Math.round(x / (NEAR_PX * dpr));
    if (x < 0 || x > at.width || taken.has(place)) continue;
    taken.add(place);
    triangle(job, x, style.colours[series]!);
  }
}

function triangle({ pen, style, at, dpr }: StrokeJob, x: number, colour: number): void {
  const base = at.height;
  pen.fillStyle = cssColour(colour);
  pen.strokeStyle = cssColour(style.look.surface);
  pen.lineWidth = dpr;
  // Open at the bottom: its outline must not cut into the baseline.
  pen.beginPath();
  pen.moveTo(x - TRIANGLE.halfWidth * dpr, base);
  pen.lineTo(x, base - TRIANGLE.height * dpr);
  pen.lineTo(x + TRIANGLE.halfWidth * dpr, base);
  pen.fill();
  pen.stroke();
}

const DOT_RADIUS_PX = 3;

export function drawDots(job: StrokeJob, indexes: readonly number[]): void {
  const { columns, style, at } = job;
  for (const index of indexes) {
    const row = lastFinite(columns.curve, columns.offsets[index]!, columns.offsets[index + 1]!);
    const alone = columns.offsets[index + 1]! - columns.offsets[index]! === 1;
    if (row < 0 || !(style.flags[index]! & LIVE || alone)) continue;
    const x = at.xOfRow(index, row);
    const y = yOfRow(at, columns.curve, row);
    if (x < -1 || x > at.width + 1 || !(y >= -1 && y <= at.height + 1)) continue;
    dot(job, x, y, style.colours[index]!);
  }
}

function lastFinite(curve: NumberColumn, from: number, to: number): number {
  let row = to - 1;
  while (row >= from && !Number.isFinite(curve[row]!)) row -= 1;
  return row < from ? -1 : row;
}

function yOfRow(at: Projection, column: NumberColumn, row: number): number {
  const out = new Float32Array(1);
  at.first = row;
  at.count = 1;
  return at.y(column, out)[0]!;
}

function dot({ pen, style, dpr }: StrokeJob, x: number, y: number, colour: number): void {
  pen.beginPath();
  pen.arc(x, y, DOT_RADIUS_PX * dpr, 0, 2 * Math.PI);
  pen.fillStyle = cssColour(colour);
  pen.fill();
  pen.lineWidth = 1.5 * dpr;
  pen.strokeStyle = cssColour(style.look.surface);
  pen.stroke();
}
