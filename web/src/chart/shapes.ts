/** What a chart draws inside its frame, as paths: the lines, bands and marks of a plan, for SVG text and for print. */

import type { Frame } from "./frame";
import { longest, Projection } from "./paint/project";
import { DASHED, LIVE, lineWidthFor, REPLACED, REPLACED_ALPHA, type Columns, type Style } from "./paint/scene";
import { cssColour, DASH } from "./paint/strokes";
import { columnsOf, viewOf, type Plan } from "./plan";
import { xAt, type SeriesSet } from "./series";
import type { Scope } from "./spec";

/** Pixels from the top left corner of the plot. Without `stroke` it is filled, without `fill` stroked. */
export interface Shape {
  readonly d: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: string;
  readonly fill?: string;
  readonly opacity?: number;
}

export interface Shapes {
  /** To be clipped to the plot. */
  readonly lines: readonly Shape[];
  /** May reach over its edge. */
  readonly marks: readonly Shape[];
}

export function shapesOf({ scope, style, frame }: Plan): Shapes {
  return {
    lines: lines(scope, style, frame),
    marks: [...triangles(scope, style, frame), ...scope.shown.flatMap((index) => dot(scope.set, index, style, frame))],
  };
}

export const round = (value: number): number => Math.round(value * 10) / 10;

function projectionOf(columns: Columns, frame: Frame): Projection {
  return new Projection(columns, viewOf(frame, { dpr: 1, pad: 0 }));
}

function lines({ set, shown }: Scope, style: Style, frame: Frame): Shape[] {
  const columns = columnsOf(set);
  const at = projectionOf(columns, frame);
  const scratch = new Float32Array(longest(set.offsets));
  const highlighted = new Set(style.highlight);
  const ordered = [...shown.filter((index) => !highlighted.has(index)), ...style.highlight];
  return ordered.flatMap((index) => {
    at.select(index);
    const colour = cssColour(style.colours[index]!);
    const dimmed = highlighted.size > 0 && !highlighted.has(index);
    const replaced = (style.flags[index]! & REPLACED) !== 0;
    const behind = style.underlay.includes(index) ? faintPart(columns, style, at, colour) : [];
    const { focusWidth, dimAlpha } = style.look;
    const width = highlighted.has(index) ? focusWidth : lineWidthFor(style, ordered.length);
    const alpha = (dimmed ? dimAlpha : 1) * (replaced ? REPLACED_ALPHA : 1);
    return [
      ...behind,
      {
        d: path(at, at.y(columns.curve, scratch)),
        stroke: colour,
        width,
        ...(style.flags[index]! & DASHED && !highlighted.has(index) ? { dash: DASH.join(" ") } : {}),
        ...(alpha < 1 ? { opacity: Math.round(alpha * 100) / 100 } : {}),
      },
    ];
  });
}

function faintPart({ raw, low, high }: Columns, { look, fillAlpha }: Style, at: Projection, colour: string): Shape[] {
  if (low && high) {
    const top = at.y(high, new Float32Array(at.count));
    const bottom = at.y(low, new Float32Array(at.count));
    return [{ d: area(at, top, bottom), fill: colour, opacity: fillAlpha }];
  }
  return raw ? [{ d: path(at, at.y(raw, new Float32Array(at.count))), stroke: colour, opacity: look.rawAlpha }] : [];
}

function path({ px, count }: Projection, py: Float32Array): string {
  let text = "";
  let open = false;
  for (let k = 0; k < count; k += 1) {
    const y = py[k]!;
    if (y === y) text += `${open ? "L" : "M"}${round(px[k]!)} ${round(y)}`;
    open = y === y;
  }
  return text;
}

/** Pieces between gaps, each there along the top and back along the bottom. */
function area({ px, count }: Projection, top: Float32Array, bottom: Float32Array): string {
  let text = "";
  let back = "";
  for (let k = 0; k <= count; k += 1) {
    const whole = k < count && top[k] === top[k] && bottom[k] === bottom[k];
    if (whole) {
      text += `${back ? "L" : "M"}${round(px[k]!)} ${round(top[k]!)}`;
      back = `L${round(px[k]!)} ${round(bottom[k]!)}${back}`;
    } else if (back) {
      text += `${back}Z`;
      back = "";
    }
  }
  return text;
}

const NEAR_PX = 4;

/** Triangles closer than a few pixels are one. */
function triangles({ set, shown }: Scope, style: Style, { left, right, top, bottom, toX }: Frame): Shape[] {
  const isShown = new Set(shown);
  const taken = new Set<string>();
  const shapes: Shape[] = [];
  let series = 0;
  for (const row of set.marks) {
    while (row >= set.offsets[series + 1]!) series += 1;
    const x = toX(xAt(set, series, row)) - left;
    const place = `${series} ${Math.round(x / NEAR_PX)}`;
    if (!isShown.has(series) || taken.has(place) || x < 0 || x > right - left) continue;
    taken.add(place);
    shapes.push({ d: `M${round(x)} ${round(bottom - top - 8)}l4.5 8h-9z`, fill: cssColour(style.colours[series]!) });
  }
  return shapes;
}

/** Where a run is being written, and for a run of one point. */
function dot(set: SeriesSet, index: number, style: Style, { left, right, top, bottom, toX, toY }: Frame): Shape[] {
  const { curve, offsets } = set;
  const last = offsets[index + 1]! - 1;
  const [cx, cy] = [toX(xAt(set, index, last)) - left, toY(curve[last]!) - top];
  const visible = cx >= -1 && cx <= right - left + 1 && cy >= -1 && cy <= bottom - top + 1;
  if (!visible || !(style.flags[index]! & LIVE || last === offsets[index])) return [];
  return [{ d: `M${round(cx - 3)} ${round(cy)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`, fill: cssColour(style.colours[index]!) }];
}
