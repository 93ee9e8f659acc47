/** Where an axis is labelled, and with what: as few digits as tell neighbours apart. */

import { ticks } from "d3-array";
import { formatCount } from "../base/format";
import type { Range, Scale } from "./scale";
import type { XUnit } from "./series";
import { clockTicks, durationTicks, type TimeTick } from "./viewport/time_ticks";

export interface Tick {
  readonly value: number;
  readonly label: string;
}

const MINUS = "−";

export function ticksOf(scale: Scale, range: Range, count: number): Tick[] {
  const values = scale.kind === "linear" ? linear(range, count) : bent(scale, range, count);
  return values.map((value, index) => {
    const gap = gapAt(values, index);
    // Decades apart, a value is smaller than the gap around it, and has to keep its own digit.
    return {
      value,
      label: labelOf(value, scale.kind === "linear" || value === 0 ? gap : Math.min(gap, Math.abs(value))),
    };
  });
}

export function ticksOfX(unit: XUnit, scale: Scale, range: Range, count: number): Tick[] {
  if (unit === "wall") return secondsOf(clockTicks(nanoseconds(range.from), nanoseconds(range.to), count), range);
  if (unit === "relative" && scale.kind === "linear")
    return secondsOf(durationTicks(nanoseconds(range.from), nanoseconds(range.to), count), range);
  const all = ticksOf(scale, range, count);
  // Steps are whole numbers: half a step is not on the axis.
  return unit === "step" ? all.filter(({ value }) => Number.isInteger(value)) : all;
}

const FEW = 3;
const ENOUGH = 5;

/** d3 takes a count as a hint. Three to five ticks are always fine; above that at most one more than requested. */
function linear({ from, to }: Range, count: number): number[] {
  let values = ticks(from, to, count);
  for (let wanted = count + 1; values.length < FEW && wanted <= ENOUGH; wanted += 1) values = ticks(from, to, wanted);
  for (let wanted = count - 1; values.length > Math.max(ENOUGH, count + 1) && wanted > 0; wanted -= 1)
    values = ticks(from, to, wanted);
  return values;
}

/** Whole decades on either side of zero, thinned out; halves of them, or even steps, where there are too few. */
function bent({ kind, constant }: Scale, range: Range, count: number): number[] {
  const { from, to } = range;
  const low = Math.floor(Math.log10(kind === "log" ? from : constant));
  const high = Math.ceil(Math.log10(Math.max(Math.abs(from), Math.abs(to))));
  const inside = (mantissas: readonly number[]): number[] => {
    const values = kind === "symlog" ? [0] : [];
    for (let exponent = low; exponent <= high; exponent += 1) {
      for (const mantissa of mantissas) {
        const value = Number(`${mantissa}e${exponent}`);
        values.push(value, ...(kind === "symlog" ? [-value] : []));
      }
    }
    return values.filter((value) => value >= from && value <= to).sort((a, b) => a - b);
  };
  let values = inside([1]);
  if (values.length < 3) values = inside([1, 2, 5]);
  if (values.length < 3) return linear(range, count);
  const every = Math.ceil(values.length / (count + 1));
  const zero = Math.max(0, values.indexOf(0));
  return values.filter((_, index) => (index - zero) % every === 0);
}

function gapAt(values: readonly number[], index: number): number {
  const value = values[index]!;
  return Math.min(Math.abs(value - (values[index - 1] ?? Infinity)), Math.abs(value - (values[index + 1] ?? Infinity)));
}

/** A number with the digits that a gap of this size asks for: 25k, 1.25M, 0.002, 5e−4, but 1,234,567 when zoomed in that far. */
export function labelOf(value: number, gap: number): string {
  const size = Math.abs(value);
  if (value === 0 || (gap !== Infinity && size < gap * 1e-9)) return "0"; // Infinity: no other tick to be told from
  const text =
    size >= 1e9 || size < 1e-3 ? scientific(size, gap) : size >= 1000 ? thousands(size, gap) : plain(size, gap);
  return value < 0 ? MINUS + text : text;
}

function decimalsFor(gap: number, unit: number): number {
  return gap === Infinity ? 3 : Math.max(0, -Math.floor(Math.log10(gap / unit) + 1e-9));
}

/** Without zeros at the end. */
function fixed(value: number, decimals: number): string {
  return String(Number(value.toFixed(Math.min(decimals, 15))));
}

function plain(size: number, gap: number): string {
  return fixed(size, decimalsFor(gap, 1));
}

function thousands(size: number, gap: number): string {
  const [unit, letter] = size >= 1e6 ? [1e6, "M"] : [1e3, "k"];
  const decimals = decimalsFor(gap, unit);
  if (decimals <= 2 || gap === Infinity) return fixed(size / unit, decimals) + letter;
  return fixed(size, decimalsFor(gap, 1)).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
}

const MANY_DECIMALS = 5;

function scientific(size: number, gap: number): string {
  const exponent = Math.floor(Math.log10(size) + 1e-12);
  const decimals = Math.min(15, decimalsFor(gap, 10 ** exponent));
  // A step of many digits is read as a number.
  if (decimals > MANY_DECIMALS && Number.isSafeInteger(size)) return formatCount(size);
  const mantissa = fixed(size / 10 ** exponent, decimals);
  return `${mantissa}e${exponent < 0 ? MINUS : ""}${Math.abs(exponent)}`;
}

const nanoseconds = (seconds: number): bigint => BigInt(Math.round(seconds * 1e9));

/** In seconds, of ticks in nanoseconds; those of a range so narrow that rounding left it are outside. */
const secondsOf = (all: readonly TimeTick[], { from, to }: Range): Tick[] =>
  all.map(({ at, label }) => ({ value: Number(at) / 1e9, label })).filter(({ value }) => value >= from && value <= to);
