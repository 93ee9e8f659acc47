/** A chart as an SVG file: the same axes and lines as on the screen, as text that any program opens. */

import type { Frame, Range, SeriesSet } from "$public";

export interface PictureLook {
  readonly text: string;
  readonly strong: string;
  readonly grid: string;
  readonly baseline: string;
  readonly surface: string;
  readonly font: string;
  readonly rawAlpha: number;
  readonly fillAlpha: number;
}

export interface PictureInput {
  readonly title: string;
  readonly subtitle: string;
  readonly set: SeriesSet;
  readonly shown: readonly number[];
  readonly frame: Frame;
  readonly colourOf: (series: number) => string;
  readonly isDashed: (series: number) => boolean;
  readonly labelOf: (series: number) => string;
  readonly look: PictureLook;
}

const HEAD = 40;
/** More names than this make the picture longer than it is worth. */
const MAX_NAMES = 24;
const NAME_HEIGHT = 16;

export function svgOf(input: PictureInput): { text: string; width: number; height: number } {
  const { frame, look, shown, title, subtitle } = input;
  const names = shown.slice(0, MAX_NAMES);
  const height = HEAD + frame.height + names.length * NAME_HEIGHT + 12;
  const body = [
    `<rect width="${frame.width}" height="${height}" fill="${look.surface}"/>`,
    words(title, 10, 18, `fill="${look.strong}" font-size="12" font-weight="600"`),
    words(subtitle, 10, 33, `fill="${look.text}" font-size="11"`),
    `<g transform="translate(0 ${HEAD})">`, axes(frame, look),
    `<clipPath id="plot"><rect x="${frame.left}" y="${frame.top}" width="${frame.right - frame.left}" height="${frame.bottom - frame.top}"/></clipPath>`,
    `<g clip-path="url(#plot)" fill="none" stroke-linejoin="round">`, ...shown.map((series) => lines(input, series)), "</g></g>",
    ...names.map((series, index) => {
      const y = HEAD + frame.height + 6 + index * NAME_HEIGHT;
      return `<rect x="10" y="${y + 3}" width="10" height="3" fill="${input.colourOf(series)}"/>${words(input.labelOf(series), 26, y + 8, `fill="${look.strong}" font-size="11"`)}`;
    }),
  ];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${height}" viewBox="0 0 ${frame.width} ${height}" font-family="${escaped(look.font)}">${body.join("")}</svg>`;
  return { text, width: frame.width, height };
}

function axes(frame: Frame, look: PictureLook): string {
  const style = `fill="${look.text}" font-size="10"`;
  const across = frame.yTicks.map(({ at, label }) =>
    `<path d="M${frame.left} ${short(at)}H${frame.right}" stroke="${look.grid}"/>${words(label, frame.left - 6, at + 3, `${style} text-anchor="end"`)}`);
  const below = frame.xTicks.map(({ at, label }) => words(label, at, frame.bottom + 15, `${style} text-anchor="middle"`));
  return [...across, `<path d="M${frame.left} ${frame.bottom}H${frame.right}" stroke="${look.baseline}"/>`, ...below].join("");
}

function lines({ set, frame, colourOf, isDashed, look }: PictureInput, series: number): string {
  const rows: Range = { from: set.offsets[series]!, to: set.offsets[series + 1]! };
  const colour = colourOf(series);
  const dash = isDashed(series) ? ' stroke-dasharray="5 2.5"' : "";
  const around = set.low && set.high ? area(set, frame, rows, set.low, set.high) : "";
  return [
    around && `<path d="${around}" fill="${colour}" fill-opacity="${look.fillAlpha}"/>`,
    set.raw !== set.curve && `<path d="${trace(set, frame, rows, set.raw)}" stroke="${colour}" stroke-opacity="${look.rawAlpha}"/>`,
    `<path d="${trace(set, frame, rows, set.curve)}" stroke="${colour}" stroke-width="1.4"${dash}/>`,
  ].filter(Boolean).join("");
}

/** A gap where a value cannot be drawn. */
function trace(set: SeriesSet, frame: Frame, { from, to }: Range, column: Float64Array): string {
  let path = "";
  let pen = "M";
  for (let row = from; row < to; row += 1) {
    const x = frame.toX(set.x[row]!);
    const y = frame.toY(column[row]!);
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    path += `${pen}${short(x)} ${short(y)}`;
    pen = "L";
  }
  return path;
}

function area(set: SeriesSet, frame: Frame, { from, to }: Range, low: Float64Array, high: Float64Array): string {
  const there: string[] = [];
  const back: string[] = [];
  for (let row = from; row < to; row += 1) {
    const x = frame.toX(set.x[row]!);
    const top = frame.toY(high[row]!);
    const bottom = frame.toY(low[row]!);
    if (!Number.isFinite(x + top + bottom)) continue;
    there.push(`${short(x)} ${short(top)}`);
    back.push(`${short(x)} ${short(bottom)}`);
  }
  return there.length > 1 ? `M${there.join("L")}L${back.reverse().join("L")}Z` : "";
}

const short = (pixel: number): string => String(+Math.min(Math.max(pixel, -1e5), 1e5).toFixed(2));
const words = (text: string, x: number, y: number, style: string): string => `<text x="${short(x)}" y="${short(y)}" ${style}>${escaped(text)}</text>`;
/** Control letters have no place in XML, escaped or not. */
// eslint-disable-next-line no-control-regex
const escaped = (text: string): string => text.replace(/[\u0000-\u001f\ufffe\uffff]/g, " ")
  .replace(/[<>&"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
