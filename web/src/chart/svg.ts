/** A chart as an SVG text: the same lines, axes and marks as on the screen, in numbers that other programs can edit. */

import { textWidth, type Frame } from "./frame";
import { endLabels } from "./labels";
import { token } from "./look";
import { modeOf } from "./layer/card";
import { longest, Projection } from "./paint/project";
import { DASHED, LIVE, needsFaint, type Columns, type Style } from "./paint/scene";
import { cssColour, DASH } from "./paint/strokes";
import { columnsOf, planOf, viewOf, type Plan } from "./plan";
import type { SeriesSet } from "./series";
import type { ChartSpec, Scope } from "./spec";
import { paintStyle } from "./style";

export interface SvgColours {
  readonly surface: string;
  readonly text: string;
  readonly strong: string;
  readonly grid: string;
  readonly base: string;
  readonly warn: string;
}

export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

export const TITLE_PX = 24;

/** The chart as it is on the screen, with its name on top. */
export function toSvg(spec: ChartSpec, options: SvgOptions): string {
  return compose(spec, options, planFor(spec, options), true);
}

/** On the page the runs table says which line is which; a picture has to say so itself. */
export function planFor(spec: ChartSpec, { width, height }: SvgOptions): Plan | null {
  const { styleOf, theme, focus = null, mode = "auto" } = spec;
  return planOf({ ...spec, endLabels: true }, { width, height: height - TITLE_PX }, (scope) => paintStyle(scope, { styleOf, theme, focus, mode }));
}

/** With lines and marks, or only what is around them. */
export function compose(spec: ChartSpec, { width, height, title }: SvgOptions, plan: Plan | null, withLines: boolean): string {
  const read = (name: string): string => token(name, spec.theme);
  const colours = {
    surface: read("--surface"), text: read("--text-3"), strong: read("--text"), grid: read("--grid"), base: read("--line-2"), warn: read("--warn-fill"),
  };
  const findings = (spec.findings ?? []).map(({ x }) => x);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(read("--font"))}" font-size="10">`,
    `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${colours.surface}"/>`,
    `<text x="10" y="17" font-size="12" font-weight="600" fill="${colours.strong}">${escaped(title)}</text>`,
    `<g transform="translate(0 ${TITLE_PX})">`,
    ...(plan ? [surroundings(plan, colours, findings), withLines ? drawing(plan) : ""] : []),
    "</g></svg>",
  ].join("\n");
}

/** Axes, findings and the names at the ends of lines. */
export function surroundings({ scope, style, frame }: Plan, colours: SvgColours, findings: readonly number[]): string {
  const parts = [axes(frame, colours)];
  for (const x of findings) parts.push(finding(frame, frame.toX(x), colours.warn));
  for (const { series, name, at } of endLabels(scope, frame)) {
    parts.push(`<rect x="${round(frame.right + 6)}" y="${round(at - 1.25)}" width="8" height="2.5" fill="${cssColour(style.colours[series]!)}"/>`);
    parts.push(text(frame.right + 18, at, name, colours.text, "start"));
  }
  return parts.join("\n");
}

export function drawing({ scope, style, frame }: Plan): string {
  const { left, right, top, bottom } = frame;
  return [
    `<clipPath id="plot"><rect width="${round(right - left)}" height="${round(bottom - top)}"/></clipPath>`,
    `<g transform="translate(${round(left)} ${round(top)})"><g clip-path="url(#plot)" fill="none" stroke-linejoin="round">`,
    ...lines(scope, style, frame), "</g>", ...triangles(scope, style, frame), ...scope.shown.map((index) => dot(scope.set, index, style, frame)), "</g>",
  ].join("\n");
}

function axes(frame: Frame, { grid, base, text: ink }: SvgColours): string {
  const { left, right, bottom } = frame;
  const level = (y: number, colour: string): string => `<path d="M${round(left)} ${crisp(y)}H${round(right)}" stroke="${colour}"/>`;
  const parts = frame.yTicks.flatMap(({ at, label }) => [level(at, grid), text(left - 6, at, label, ink, "end")]);
  parts.push(level(bottom, base));
  for (const { at, label } of frame.xTicks) {
    const half = textWidth(label) / 2;
    parts.push(`<path d="M${crisp(at)} ${round(bottom + 1)}v3" stroke="${base}"/>`);
    parts.push(text(Math.min(Math.max(at, left - 4 + half), frame.width - 2 - half), bottom + 12, label, ink, "middle"));
  }
  return parts.join("\n");
}

function finding({ left, right, top, bottom }: Frame, at: number, colour: string): string {
  if (at > right) return "";
  const from = Math.max(at, left);
  const tint = `<rect x="${round(from)}" y="${top}" width="${round(right - from)}" height="${round(bottom - top)}" fill="${colour}" opacity=".07"/>`;
  return at < left ? tint : `${tint}<path d="M${crisp(at)} ${top}V${round(bottom)}" stroke="${colour}" stroke-dasharray="3 2"/>`;
}

function projectionOf(columns: Columns, frame: Frame): Projection {
  return new Projection(columns, viewOf(frame, { dpr: 1, pad: 0 }));
}

function lines({ set, shown }: Scope, style: Style, frame: Frame): string[] {
  const columns = columnsOf(set);
  const at = projectionOf(columns, frame);
  const scratch = new Float32Array(longest(set.offsets));
  const faint = needsFaint(style, modeOf(set, style));
  const lifted = new Set(style.highlight);
  const ordered = [...shown.filter((index) => !lifted.has(index)), ...style.highlight];
  return ordered.flatMap((index) => {
    at.select(index);
    const colour = cssColour(style.colours[index]!);
    const dimmed = lifted.size > 0 && !lifted.has(index);
    const behind = faint && !dimmed ? faintPart(columns, style, at, colour) : "";
    const dash = style.flags[index]! & DASHED && !lifted.has(index) ? ` stroke-dasharray="${DASH.join(" ")}"` : "";
    const { lineWidth, focusWidth, dimAlpha } = style.look;
    const width = lifted.has(index) ? focusWidth : ordered.length > 100 ? 1 : lineWidth;
    const opacity = dimmed ? ` opacity="${dimAlpha}"` : "";
    return [behind, `<path d="${path(at, at.y(columns.curve, scratch))}" stroke="${colour}" stroke-width="${width}"${dash}${opacity}/>`];
  });
}

function faintPart({ raw, low, high }: Columns, { look, fillAlpha }: Style, at: Projection, colour: string): string {
  if (low && high) {
    const top = at.y(high, new Float32Array(at.count));
    const bottom = at.y(low, new Float32Array(at.count));
    return `<path d="${area(at, top, bottom)}" fill="${colour}" opacity="${fillAlpha}"/>`;
  }
  return raw ? `<path d="${path(at, at.y(raw, new Float32Array(at.count)))}" stroke="${colour}" opacity="${look.rawAlpha}"/>` : "";
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
function triangles({ set, shown }: Scope, style: Style, { left, right, top, bottom, toX }: Frame): string[] {
  const isShown = new Set(shown);
  const taken = new Set<string>();
  const parts: string[] = [];
  let series = 0;
  for (const row of set.marks) {
    while (row >= set.offsets[series + 1]!) series += 1;
    const x = toX(set.x[row]!) - left;
    const place = `${series} ${Math.round(x / NEAR_PX)}`;
    if (!isShown.has(series) || taken.has(place) || x < 0 || x > right - left) continue;
    taken.add(place);
    parts.push(`<path d="M${round(x)} ${round(bottom - top - 8)}l4.5 8h-9z" fill="${cssColour(style.colours[series]!)}"/>`);
  }
  return parts;
}

/** Where a run is being written, and for a run of one point. */
function dot({ x, curve, offsets }: SeriesSet, index: number, style: Style, { left, right, top, bottom, toX, toY }: Frame): string {
  const last = offsets[index + 1]! - 1;
  const [cx, cy] = [toX(x[last]!) - left, toY(curve[last]!) - top];
  const visible = cx >= -1 && cx <= right - left + 1 && cy >= -1 && cy <= bottom - top + 1;
  if (!visible || !(style.flags[index]! & LIVE || last === offsets[index])) return "";
  return `<circle cx="${round(cx)}" cy="${round(cy)}" r="3" fill="${cssColour(style.colours[index]!)}"/>`;
}

function text(x: number, y: number, label: string, colour: string, anchor: string): string {
  return `<text x="${round(x)}" y="${round(y + 3.5)}" fill="${colour}" text-anchor="${anchor}">${escaped(label)}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const crisp = (value: number): number => Math.round(value) + 0.5;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names may hold anything; XML may not hold control characters. */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd").replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);
}
