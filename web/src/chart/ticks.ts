/** Where an axis is labelled, and with what: as few digits as tell neighbours apart. */

import { ticks } from "d3-array";
import { timeTicks } from "d3-time";
import { formatSeconds } from "../base/format";
import type { Range, Scale } from "./scale";
import type { XUnit } from "./series";

export interface Tick {
  readonly value: number;
  readonly label: string;
}

const MINUS = "−";

export function ticksOf(scale: Scale, range: Range, count: number): Tick[] {
  const values = scale.kind === "linear" ? linear(range, count) : bent(scale, range, count);
  return values.map((value, index) => ({ value, label: labelOf(value, gapAt(values, index)) }));
}

export function ticksOfX(unit: XUnit, scale: Scale, range: Range, count: number): Tick[] {
  if (unit === "wall") return clockTicks(range, count);
  if (unit === "relative" && scale.kind === "linear") return durationTicks(range, count);
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

function scientific(size: number, gap: number): string {
  const exponent = Math.floor(Math.log10(size) + 1e-12);
  const decimals = Math.min(15, decimalsFor(gap, 10 ** exponent));
  const mantissa = fixed(size / 10 ** exponent, decimals);
  return `${mantissa}e${exponent < 0 ? MINUS : ""}${Math.abs(exponent)}`;
}

const UNITS_SECS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
];

function durationTicks(range: Range, count: number): Tick[] {
  const { from, to } = range;
  const wanted = (to - from) / count;
  if (wanted < 1)
    return linear(range, count).map((value, index, all) => ({
      value,
      label: `${plainSigned(value, gapAt(all, index))} s`,
    }));
  const step = UNITS_SECS.find((secs) => secs >= wanted) ?? Math.ceil(wanted / 604800) * 604800;
  const labelled: Tick[] = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step)
    labelled.push({ value, label: formatSeconds(value) });
  return labelled;
}

function plainSigned(value: number, gap: number): string {
  return value < 0 ? MINUS + plain(-value, gap) : plain(value, gap);
}

function clockTicks({ from, to }: Range, count: number): Tick[] {
  const dates = timeTicks(new Date(from * 1000), new Date(to * 1000), count);
  const gap = dates.length > 1 ? dates[1]!.getTime() - dates[0]!.getTime() : to - from;
  return dates.map((date) => ({ value: date.getTime() / 1000, label: clockLabel(date, gap) }));
}

const DAY_MS = 86_400_000;

function clockLabel(date: Date, gapMs: number): string {
  const midnight = date.getHours() + date.getMinutes() + date.getSeconds() + date.getMilliseconds() === 0;
  if (gapMs >= 27 * DAY_MS) return date.toLocaleDateString("en", { month: "short", year: "numeric" });
  if (gapMs >= DAY_MS || midnight) return date.toLocaleDateString("en", { month: "short", day: "numeric" });
  const seconds = gapMs < 60_000 ? { second: "2-digit" as const } : {};
  const text = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...seconds });
  return gapMs < 1000 ? `${text}.${String(date.getMilliseconds()).padStart(3, "0")}` : text;
}
