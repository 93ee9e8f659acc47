/** A chart as an SVG text: the same lines, axes and marks as on the screen, in numbers that other programs can edit. */

import { escapeXml } from "../base/xml";
import { barsWithin, planBars } from "./bars";
import { clippedNotes } from "./clipped";
import type { Frame } from "./frame";
import { textWidth } from "./text_width";
import { endLabels, fitsEnds, legendOf, LEGEND_TICK_PX } from "./labels";
import { token } from "./look";
import { DASHED, type Style } from "./paint/scene";
import { cssColour, DASH } from "./paint/strokes";
import { planOf, type Plan } from "./plan";
import { round, shapesOf, type Shape } from "./shapes";
import { EMPTY_SET, restartsOf } from "./series";
import { shownIn, type ChartSpec } from "./spec";
import { paintStyle } from "./style";

export interface SvgColours {
  readonly surface: string;
  readonly text: string;
  readonly strong: string;
  readonly grid: string;
  readonly base: string;
  readonly warn: string;
}

export type LegendPlace = "ends" | "below" | "none";

export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  /** On top, and the name of the picture. */
  readonly title: string;
  readonly isTitleShown?: boolean;
  /** What is along the axes, in words. */
  readonly xTitle?: string;
  readonly yTitle?: string;
  /** Default: at the ends of lines, or below them if a name does not fit there. */
  readonly legend?: LegendPlace;
  /** As CSS takes it; default: that of the page. */
  readonly fontFamily?: string;
  /** Of the axes. Everything else is in proportion to it. */
  readonly fontPx?: number;
}

/** A plan, and where it lies in the picture, in pixels of a chart whose axes have the usual font. */
export interface Layout {
  readonly plan: Plan | null;
  readonly legend: LegendPlace;
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const FONT_PX = 10;
const TITLE_PX = 24;
const AXIS_TITLE_PX = 16;
const LEGEND_ROW_PX = 15;
/** Of the height. */
const MAX_LEGEND_SHARE = 0.4;

/** The chart as it is on the screen, with its name on top. */
export function toSvg(spec: ChartSpec, options: SvgOptions): string {
  return compose(spec, options, layoutOf(spec, options), true);
}

/** On the page the runs table says which line is which; a picture has to say so itself. */
export function layoutOf(spec: ChartSpec, options: SvgOptions): Layout {
  const scale = (options.fontPx ?? FONT_PX) / FONT_PX;
  const size = { width: options.width / scale, height: options.height / scale };
  const [left, top] = [options.yTitle ? AXIS_TITLE_PX : 0, options.isTitleShown === false ? 4 : TITLE_PX];
  const inside = { width: size.width - left, height: size.height - top - (options.xTitle ? AXIS_TITLE_PX : 0) };
  const set = spec.set ?? EMPTY_SET;
  const scope = { set, shown: shownIn(set, spec.isShown) };
  if (spec.bars) return { plan: null, legend: "none", scale, left, top, ...size };
  const legend = options.legend ?? (fitsEnds(scope, inside) ? "ends" : "below");
  const { styleOf, theme, focus = [], mode = "auto" } = spec;
  const below = legend === "below" ? legendOf(scope, legendRoom(size)).rows * LEGEND_ROW_PX + 4 : 0;
  const plan = planOf(
    { ...spec, endLabels: legend === "ends" },
    { ...inside, height: inside.height - below },
    (shown) => paintStyle(shown, { styleOf, theme, focus, mode }),
  );
  return { plan, legend, scale, left, top, ...size };
}

const LEGEND_MARGIN_PX = 12;
const legendRoom = ({ width, height }: { readonly width: number; readonly height: number }) => ({
  width: width - 2 * LEGEND_MARGIN_PX,
  maxRows: Math.max(1, Math.floor((height * MAX_LEGEND_SHARE) / LEGEND_ROW_PX)),
});

/** With lines and marks, or only what is around them. */
export function compose(spec: ChartSpec, options: SvgOptions, layout: Layout, withLines: boolean): string {
  const { width, height, title, isTitleShown = true, xTitle = "", yTitle = "" } = options;
  const { plan } = layout;
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
  const font = options.fontFamily ?? read("--font");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${round(layout.width)} ${round(layout.height)}" font-family="${escapeXml(font)}" font-size="${FONT_PX}">`,
    `<title>${escapeXml(title)}</title><rect width="100%" height="100%" fill="${colours.surface}"/>`,
    ...(isTitleShown
      ? [`<text x="10" y="17" font-size="12" font-weight="600" fill="${colours.strong}">${escapeXml(title)}</text>`]
      : []),
    `<g transform="translate(${layout.left} ${layout.top})">`,
    ...(plan
      ? [
          surroundings(plan, colours, findings),
          withLines ? drawing(plan) : "",
          clippedTexts(plan, colours, spec.lineNoun ?? "run"),
          axisTitles(plan.frame, { xTitle, yTitle }, colours.strong),
        ]
      : barsAsText(spec, options, layout, colours)),
    "</g>",
    plan && layout.legend === "below" ? legendBelow(plan, layout, colours) : "",
    "</svg>",
  ].join("\n");
}

function axisTitles(
  { left, right, top, bottom }: Frame,
  { xTitle, yTitle }: { readonly xTitle: string; readonly yTitle: string },
  ink: string,
): string {
  const [x, y] = [round((left + right) / 2), round((top + bottom) / 2)];
  const along = xTitle && text(x, bottom + 19 + AXIS_TITLE_PX / 2, xTitle, ink, "middle");
  const up =
    yTitle &&
    `<g transform="translate(${-AXIS_TITLE_PX / 2 + 4} ${y}) rotate(-90)">${text(0, 0, yTitle, ink, "middle")}</g>`;
  return along + up;
}

/** Bars with their names and values, as many as fit. */
export function barsAsText(
  spec: ChartSpec,
  { xTitle = "", yTitle = "" }: SvgOptions,
  { width, height, left, top }: Layout,
  colours: SvgColours,
): string[] {
  const { set, theme, focus = [] } = spec;
  const size = { width: width - left, height: height - top - (xTitle ? AXIS_TITLE_PX : 0) };
  const isCut = (spec.bars?.length ?? 0) > barsWithin(size.height);
  const plan = planBars(spec, { ...size, maxBars: barsWithin(size.height - (isCut ? LEGEND_ROW_PX : 0)) });
  if (!set || !plan) return [];
  const { frame, bars, barHeight, leftOut } = plan;
  const parts = bars.map(({ series, y, left: x, width: length, note, valueText }) => {
    const { key: name } = set.series[series]!;
    const style = spec.styleOf(name);
    const colour = token(style.token, theme);
    const dash = style.dashed ? ` fill-opacity=".3" stroke="${colour}" stroke-dasharray="3 2"` : "";
    const dim = focus.length > 0 && !focus.includes(name) ? ` opacity="${token("--a-dim", theme)}"` : "";
    const bar = note
      ? text(x + 4, y, note, colours.text, "start")
      : `<rect x="${round(x)}" y="${round(y - barHeight / 2)}" width="${round(length)}" height="${barHeight}" fill="${colour}"${dash}/>`;
    return `<g${dim}>${bar}${text(frame.width - 10, y, valueText, colours.strong, "end")}</g>`;
  });
  const more =
    leftOut > 0 ? [text(10, frame.bottom + 12 + LEGEND_ROW_PX, `and ${leftOut} more`, colours.text, "start")] : [];
  return [
    axes(frame, { ...colours, grid: "none" }),
    ...parts,
    ...more,
    axisTitles(frame, { xTitle, yTitle }, colours.strong),
  ];
}

function legendBelow({ scope, style }: Plan, size: Layout, { text: ink }: SvgColours): string {
  const { entries, rows, leftOut } = legendOf(scope, legendRoom(size));
  const first = size.height - rows * LEGEND_ROW_PX + LEGEND_ROW_PX / 2 - 2;
  const parts = entries.map(({ series, name, x, row }) => {
    const [at, y] = [LEGEND_MARGIN_PX + x, first + row * LEGEND_ROW_PX];
    return key(style, series, { x: at, y, width: 16 }) + text(at + LEGEND_TICK_PX, y, name, ink, "start");
  });
  if (leftOut > 0)
    parts.push(text(LEGEND_MARGIN_PX, first + (rows - 1) * LEGEND_ROW_PX, `and ${leftOut} more`, ink, "start"));
  return parts.join("\n");
}

/** A piece of a line as it is drawn. */
function key(
  { colours, flags }: Style,
  series: number,
  { x, y, width }: { x: number; y: number; width: number },
): string {
  const dash = flags[series]! & DASHED ? ` stroke-dasharray="${width < 16 ? "3 2" : DASH.join(" ")}"` : "";
  return `<path d="M${round(x)} ${round(y)}h${width}" stroke="${cssColour(colours[series]!)}" stroke-width="2"${dash}/>`;
}

/** Axes, findings and the names at the ends of lines. */
export function surroundings({ scope, style, frame }: Plan, colours: SvgColours, findings: readonly number[]): string {
  const parts = [axes(frame, colours)];
  for (const x of findings) parts.push(finding(frame, frame.toX(x), colours.warn));
  for (const { x, series } of restartsOf(scope.set, scope.shown))
    parts.push(restart(frame, frame.toX(x), cssColour(style.colours[series]!)));
  for (const { series, name, at } of endLabels(scope, frame)) {
    parts.push(key(style, series, { x: frame.right + 6, y: at, width: 8 }));
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
