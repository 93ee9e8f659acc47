/** How rows are drawn: colour and shape by a column, radius by a column, emphasis by filter and selection. */

import type { MetadataColumn } from "../wire";

export interface CategoryStyle {
  /** A design token such as "--run-1". */
  readonly token: string;
  readonly shape: "dot" | "ring";
}

const COLOURS = 12;
/** Dots first, then rings of the same colours; the rest is "other". */
export const MAX_CATEGORIES = 2 * COLOURS;
const GREY: CategoryStyle = { token: "--text-3", shape: "dot" };

/** The position among the styles of the category with a code. */
const positionOf = ({ styles }: Pick<MetadataColumn, "styles">, code: number): number => styles?.[code] ?? code;

/** The style of the category with a code; -1 is missing. */
export const styleOf = (column: Pick<MetadataColumn, "styles">, code: number): CategoryStyle =>
  categoryStyle(code < 0 ? code : positionOf(column, code));

/** The style at a position; -1 is missing. */
export function categoryStyle(at: number): CategoryStyle {
  if (at < 0 || at >= MAX_CATEGORIES) return GREY;
  return { token: `--run-${(at % COLOURS) + 1}`, shape: at < COLOURS ? "dot" : "ring" };
}

/** The column with the styles of another one where both have the same names; further names have the styles behind them. */
export function styledLike(column: MetadataColumn | null, other: MetadataColumn | null): MetadataColumn | null {
  if (column?.type !== "category" || other?.type !== "category" || column === other) return column;
  const known = new Map(other.names.map((name, code) => [name, positionOf(other, code)]));
  if (!column.names.some((name) => known.has(name))) return column;
  const taken = new Set(known.values());
  const styles = column.names.map((_, code) => positionOf(column, code));
  const further = Array.from(column.names.keys()).filter((code) => !known.has(column.names[code]!));
  for (const [code, name] of column.names.entries()) styles[code] = known.get(name) ?? styles[code]!;
  let next = Math.max(...taken) + 1;
  for (const code of further.sort((a, b) => styles[a]! - styles[b]!)) {
    while (taken.has(styles[code]!)) styles[code] = next++;
    taken.add(styles[code]!);
  }
  return { ...column, styles };
}

/** Styles are positions in a palette: a byte for each row. The last one is for missing values. */
const STYLES = 256;
const MISSING = STYLES - 1;
const SHADES = MISSING;

export interface Palette {
  /** 0xRRGGBB of each style. */
  readonly colours: Uint32Array;
  /** 1 where a style is a ring. */
  readonly rings: Uint8Array;
}

export interface PaletteColours {
  /** 0xRRGGBB of a token. */
  rgb(token: string): number;
  /** So many shades of the ramp of numbers. */
  ramp(count: number): Uint32Array;
}

export function paletteOf(column: Pick<MetadataColumn, "type"> | null, { rgb, ramp }: PaletteColours): Palette {
  const colours = new Uint32Array(STYLES).fill(rgb(GREY.token));
  const rings = new Uint8Array(STYLES);
  if (column === null) colours[0] = rgb("--accent");
  else if (column.type === "number") colours.set(ramp(SHADES));
  else
    for (let code = 0; code < MAX_CATEGORIES; code += 1) {
      const { token, shape } = categoryStyle(code);
      colours[code] = rgb(token);
      rings[code] = shape === "ring" ? 1 : 0;
    }
  return { colours, rings };
}

export const hexOf = (rgb: number): string => `#${rgb.toString(16).padStart(6, "0")}`;

/** A third of the way to white: a tint of images, whose dark parts stay dark. */
export function lighter(rgb: number): number {
  const channel = (shift: number): number => {
    const value = (rgb >> shift) & 255;
    return Math.round(value + (255 - value) / 3) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

export interface NumberRange {
  readonly low: number;
  readonly high: number;
}

/** Of the finite values; null without any. */
export function rangeOf(values: ArrayLike<number>): NumberRange | null {
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row]!;
    if (value - value !== 0) continue; // not finite
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : null;
}

/** By row: its style in the palette. */
export function stylesOf(column: MetadataColumn | null, total: number): Uint8Array {
  const styles = new Uint8Array(total);
  if (!column) return styles;
  const { values } = column;
  const rows = Math.min(total, values.length);
  styles.fill(MISSING, rows);
  if (column.type === "number") {
    const { low, high } = rangeOf(values) ?? { low: 0, high: 1 };
    const scale = (SHADES - 1) / (high - low || 1);
    for (let row = 0; row < rows; row += 1) {
      const value = values[row]!;
      styles[row] = value - value === 0 ? (value - low) * scale : MISSING;
    }
  } else
    for (let row = 0; row < rows; row += 1) {
      const code = values[row]!;
      styles[row] = code < 0 ? MISSING : Math.min(positionOf(column, code), MAX_CATEGORIES);
    }
  return styles;
}

const [MIN_RADIUS_PX, MAX_RADIUS_PX] = [2, 7];

/** The more points, the smaller: a million of them must not be one blot. */
export function defaultRadiusPx(placed: number): number {
  return placed <= 20_000 ? 2.25 : placed <= 150_000 ? 1.75 : placed <= 400_000 ? 1.25 : 1;
}

/** Radii are quarters of a pixel: a byte for each row. */
export const RADIUS_STEPS = 4;

/** By row, by the square root of the value: twice the value is twice the area. */
export function radiiOf(column: MetadataColumn | null, total: number, defaultPx: number): Uint8Array {
  const radii = new Uint8Array(total).fill(defaultPx * RADIUS_STEPS);
  if (column?.type !== "number") return radii;
  const { low, high } = rangeOf(column.values) ?? { low: 0, high: 1 };
  const [least, most] = [MIN_RADIUS_PX * RADIUS_STEPS, MAX_RADIUS_PX * RADIUS_STEPS];
  for (let row = 0; row < Math.min(total, column.values.length); row += 1) {
    const share = (column.values[row]! - low) / (high - low || 1);
    radii[row] = share - share === 0 ? least + (most - least) * Math.sqrt(share) : least;
  }
  return radii;
}

/** What a row's emphasis is; 0 is not drawn. */
export const HIDDEN = 0;
export const DIMMED = 1;
export const PLAIN = 2;
export const EMPHASISED = 3;
/** By emphasis. */
export const ALPHAS: readonly number[] = [0, 0.16, 0.6, 1];

/** By row. Others are dimmed while some are selected. */
export function emphasisOf(total: number, visible: Uint8Array | null, selected: ArrayLike<number>): Uint8Array {
  const emphasis = new Uint8Array(total).fill(selected.length > 0 ? DIMMED : PLAIN);
  for (let at = 0; at < selected.length; at += 1) if (selected[at]! < total) emphasis[selected[at]!] = EMPHASISED;
  if (visible) for (let row = 0; row < total; row += 1) if (visible[row] === 0) emphasis[row] = HIDDEN;
  return emphasis;
}

/** How all rows are drawn, as columns. */
export interface PointStyles {
  readonly palette: Palette;
  readonly styles: Uint8Array;
  readonly radii: Uint8Array;
  readonly emphasis: Uint8Array;
}
