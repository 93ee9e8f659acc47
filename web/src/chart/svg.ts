/** A chart as an SVG text: the same lines, axes and marks as on the screen, in numbers that other programs can edit. */

import { escapeXml } from "../base/xml";
import { clippedNotes } from "./clipped";
import type { Frame } from "./frame";
import { textWidth } from "./text_width";
import { endLabels } from "./labels";
import { token } from "./look";
import { cssColour } from "./paint/strokes";
import { planOf, type Plan } from "./plan";
import { round, shapesOf, type Shape } from "./shapes";
import { restartsOf } from "./series";
import type { ChartSpec } from "./spec";
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
  return planOf({ ...spec, endLabels: true }, { width, height: height - TITLE_PX }, (scope) =>
    paintStyle(scope, { styleOf, theme, focus, mode }),
  );
}

/** With lines and marks, or only what is around them. */
export function compose(
  spec: ChartSpec,
  { width, height, title }: SvgOptions,
  plan: Plan | null,
  withLines: boolean,
): string {
  const read = (name: string): string => token(name, spec.theme);
  const colours = {
    surface: read("--surface"),
    text: read("--text-3"),
    strong: read("--text"),
    grid: read("--grid"),
    base: read("--line-2"),
    warn: read("--warn-fill"),
  };
  const findings = (spec.findings ?? []).map(({ x }) => x);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(read("--font"))}" font-size="10">`,
    `<title>${escapeXml(title)}</title><rect width="100%" height="100%" fill="${colours.surface}"/>`,
    `<text x="10" y="17" font-size="12" font-weight="600" fill="${colours.strong}">${escapeXml(title)}</text>`,
    `<g transform="translate(0 ${TITLE_PX})">`,
    ...(plan
      ? [
          surroundings(plan, colours, findings),
          withLines ? drawing(plan) : "",
          clippedTexts(plan, colours, spec.lineNoun ?? "run"),
        ]
      : []),
    "</g></svg>",
  ].join("\n");
}

/** Axes, findings and the names at the ends of lines. */
export function surroundings({ scope, style, frame }: Plan, colours: SvgColours, findings: readonly number[]): string {
  const parts = [axes(frame, colours)];
  for (const x of findings) parts.push(finding(frame, frame.toX(x), colours.warn));
  for (const { x, series } of restartsOf(scope.set, scope.shown))
    parts.push(restart(frame, frame.toX(x), cssColour(style.colours[series]!)));
  for (const { series, name, at } of endLabels(scope, frame)) {
    parts.push(
      `<rect x="${round(frame.right + 6)}" y="${round(at - 1.25)}" width="8" height="2.5" fill="${cssColour(style.colours[series]!)}"/>`,
    );
    parts.push(text(frame.right + 18, at, name, colours.text, "start"));
  }
  return parts.join("\n");
}

/** How many lines reach beyond an edge, on a ground that keeps the words apart from the lines. */
export function clippedTexts({ frame, clipped }: Plan, { surface, text: ink }: SvgColours, noun: string): string {
  let right = { top: frame.right, bottom: frame.right };
  return clippedNotes(clipped, noun)
    .map(({ edge, words }) => {
      const label = `${edge === "top" ? "↑" : "↓"} ${words}`;
      const width = textWidth(label) + 8;
      const [end, y] = [right[edge], edge === "top" ? frame.top + 1 : frame.bottom - 15];
      right = { ...right, [edge]: end - width };
      const ground = `<rect x="${round(end - width)}" y="${round(y)}" width="${round(width)}" height="14" fill="${surface}"/>`;
      return ground + text(end - 4, y + 7, label, ink, "end");
    })
    .join("\n");
}

export function drawing(plan: Plan): string {
  const { left, right, top, bottom } = plan.frame;
  const { lines, marks } = shapesOf(plan);
  return [
    `<clipPath id="plot"><rect width="${round(right - left)}" height="${round(bottom - top)}"/></clipPath>`,
    `<g transform="translate(${round(left)} ${round(top)})"><g clip-path="url(#plot)" stroke-linejoin="round">`,
    ...lines.map(pathOf),
    "</g>",
    ...marks.map(pathOf),
    "</g>",
  ].join("\n");
}

function axes(frame: Frame, { grid, base, text: ink }: SvgColours): string {
  const { left, right, bottom } = frame;
  const level = (y: number, colour: string): string =>
    `<path d="M${round(left)} ${crisp(y)}H${round(right)}" stroke="${colour}"/>`;
  const parts = frame.yTicks.flatMap(({ at, label }) => [level(at, grid), text(left - 6, at, label, ink, "end")]);
  parts.push(level(bottom, base));
  for (const { at, label } of frame.xTicks) {
    const half = textWidth(label) / 2;
    parts.push(`<path d="M${crisp(at)} ${round(bottom + 1)}v3" stroke="${base}"/>`);
    parts.push(
      text(Math.min(Math.max(at, left - 4 + half), frame.width - 2 - half), bottom + 12, label, ink, "middle"),
    );
  }
  return parts.join("\n");
}

function finding({ left, right, top, bottom }: Frame, at: number, colour: string): string {
  if (at > right) return "";
  const from = Math.max(at, left);
  const tint = `<rect x="${round(from)}" y="${top}" width="${round(right - from)}" height="${round(bottom - top)}" fill="${colour}" opacity=".07"/>`;
  return at < left
    ? tint
    : `${tint}<path d="M${crisp(at)} ${top}V${round(bottom)}" stroke="${colour}" stroke-dasharray="3 2"/>`;
}

/** A dotted line where a run was started again. */
function restart({ left, right, top, bottom }: Frame, at: number, colour: string): string {
  if (at < left || at > right) return "";
  return `<path d="M${crisp(at)} ${top}V${round(bottom)}" stroke="${colour}" stroke-dasharray="1 3"><title>Restarted here: what is dimmed was replaced</title></path>`;
}

function pathOf({ d, stroke, width, dash, fill, opacity }: Shape): string {
  const attributes = { fill: fill ?? "none", stroke, "stroke-width": width, "stroke-dasharray": dash, opacity };
  const written = Object.entries(attributes).map(([name, value]) => (value === undefined ? "" : ` ${name}="${value}"`));
  return `<path d="${d}"${written.join("")}/>`;
}

function text(x: number, y: number, label: string, colour: string, anchor: string): string {
  return `<text x="${round(x)}" y="${round(y + 3.5)}" fill="${colour}" text-anchor="${anchor}">${escapeXml(label)}</text>`;
}

const crisp = (value: number): number => Math.round(value) + 0.5;
