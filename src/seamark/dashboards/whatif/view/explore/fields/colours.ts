/** The colour of each row by a field: the truth, a category, or a number along the ramp. */

import { chartAxes, themeColours } from "$public/charts";
import type { ColumnValues } from "../../requests";
import { namesOf, shownNames } from "./dimension";
import { positives } from "./judge";

export interface ColourGroup {
  readonly label: string;
  /** A design token. */
  readonly token: string;
}

export interface RowColours {
  /** Pixels with alpha, by row. */
  readonly pixels: Uint32Array;
  /** Of colours by name; empty for a ramp and for one colour. */
  readonly groups: readonly ColourGroup[];
  /** The group of each row; empty without groups. */
  readonly groupOf: Uint8Array;
  /** The numbers at the ends of the ramp. */
  readonly ramp: { readonly from: string; readonly to: string; readonly label: string } | null;
}

const POSITIVE: ColourGroup = { label: "", token: "--run-2" };
const NEGATIVE: ColourGroup = { label: "", token: "--run-1" };
const [POSITIVE_ALPHA, NEGATIVE_ALPHA, NAME_ALPHA, PLAIN_ALPHA] = [0.62, 0.34, 0.5, 0.45];
/** More colours than this cannot be told apart. */
const MAX_GROUPS = 9;
const SHADES = 64;

type Theme = "light" | "dark";

function pixelOf(token: string, alpha: number, theme: Theme): number {
  return themeColours.pixel(themeColours.rgb(themeColours.token(token, theme)), Math.round(alpha * 255));
}

export function plainColours(count: number, theme: Theme): RowColours {
  const pixels = new Uint32Array(count).fill(pixelOf("--accent", PLAIN_ALPHA, theme));
  return { pixels, groups: [], groupOf: new Uint8Array(), ramp: null };
}

export function truthColours(truth: ColumnValues, classes: readonly [string, string], theme: Theme): RowColours {
  const of = positives(truth, classes[1]);
  const shades = [
    pixelOf("--text-3", NEGATIVE_ALPHA, theme),
    pixelOf(NEGATIVE.token, NEGATIVE_ALPHA, theme),
    pixelOf(POSITIVE.token, POSITIVE_ALPHA, theme),
  ];
  const groups = [
    { ...POSITIVE, label: classes[1] },
    { ...NEGATIVE, label: classes[0] },
    { label: "no truth", token: "--text-3" },
  ];
  return {
    pixels: Uint32Array.from(of, (positive) => shades[positive + 1]!),
    groups: of.includes(-1) ? groups : groups.slice(0, 2),
    groupOf: Uint8Array.from(of, (positive) => 1 - positive),
    ramp: null,
  };
}

export function nameColours(column: ColumnValues, theme: Theme): RowColours {
  const names = shownNames(namesOf(column), MAX_GROUPS);
  const isCut = namesOf(column).length > names.length;
  const groups = names.map((label, at) => ({
    label,
    token: isCut && at === names.length - 1 ? "--text-3" : `--run-${at + 1}`,
  }));
  const hasMissing = column.values.some((code) => !(code >= 0));
  if (hasMissing) groups.push({ label: "missing", token: "--text-3" });
  const shades = groups.map(({ token }) => pixelOf(token, NAME_ALPHA, theme));
  const groupOf = Uint8Array.from(column.values, (code) =>
    code >= 0 ? Math.min(code, names.length - 1) : names.length,
  );
  return { pixels: Uint32Array.from(groupOf, (group) => shades[group]!), groups, groupOf, ramp: null };
}

/** Numbers along the ramp, without the outermost hundredths: a single outlier would leave one shade to all others. */
export function numberColours(values: ArrayLike<number>, label: string, theme: Theme): RowColours {
  const sorted = Float32Array.from(values)
    .filter((value) => Number.isFinite(value))
    .sort();
  const low = sorted[Math.floor(sorted.length * 0.01)] ?? 0;
  const high = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 1;
  const shades = themeColours.ramp(themeColours.rampStops(theme), SHADES);
  const alpha = Math.round(NAME_ALPHA * 255);
  const missing = pixelOf("--text-3", NEGATIVE_ALPHA, theme);
  const pixels = Uint32Array.from({ length: values.length }, (_, row) => {
    const value = values[row]!;
    if (Number.isNaN(value)) return missing;
    const share = high > low ? (value - low) / (high - low) : 0;
    return themeColours.pixel(shades[Math.round(Math.min(1, Math.max(0, share)) * (SHADES - 1))]!, alpha);
  });
  const text = (value: number): string => chartAxes.label(value, Infinity);
  return { pixels, groups: [], groupOf: new Uint8Array(), ramp: { from: text(low), to: text(high), label } };
}
