/**
 * Ticks along time, from nanoseconds to years. Times are whole nanoseconds as bigint: since 1970 they exceed what a number
 * can count one by one, and a window of ten of them must not lie on two ticks.
 */

import { formatSeconds } from "../../base/format";

export interface TimeTick {
  /** In nanoseconds. */
  readonly at: bigint;
  readonly label: string;
}

export const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const YEAR = 365n * DAY;
const MINUS = "−";

const BELOW_SECOND = Array.from({ length: 9 }, (_, power) => [1n, 2n, 5n].map((n) => n * 10n ** BigInt(power))).flat();
const DURATION_STEPS = [
  ...BELOW_SECOND,
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((n) => n * SECOND),
  ...[1n, 2n, 5n, 10n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 2n, 3n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 2n, 7n, 14n, 28n, 91n].map((n) => n * DAY),
];
const CLOCK_STEPS = [
  ...BELOW_SECOND,
  ...[1n, 5n, 15n, 30n].map((n) => n * SECOND),
  ...[1n, 5n, 15n, 30n].map((n) => n * MINUTE),
  ...[1n, 3n, 6n, 12n].map((n) => n * HOUR),
  ...[1n, 2n, 7n].map((n) => n * DAY),
];
/** Of calendar ticks. */
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const MONTH = YEAR / 12n;

/** Time since a beginning: 250 ns, 1.5 ms, 12 s, 2 h, 3 d. */
export function durationTicks(from: bigint, to: bigint, count: number): TimeTick[] {
  const step = stepFor(DURATION_STEPS, YEAR, from, to, count);
  const largest = abs(from) > abs(to) ? abs(from) : abs(to);
  return multiples(step, from, to).map((at) => ({ at, label: durationLabel(at, step, largest) }));
}

/** The same as distances from a round time before `from`: deep inside a trace the leading digits are all the same. */
export function offsetTicks(from: bigint, to: bigint, count: number): { base: bigint; ticks: TimeTick[] } {
  const step = stepFor(DURATION_STEPS, YEAR, from, to, count);
  const unit = [1000n, 1_000_000n, SECOND, MINUTE, HOUR, DAY].find((each) => each > to - from) ?? YEAR;
  const base = floorTo(unit, from);
  const ticks = multiples(step, from, to).map((at) => ({ at, label: `+${durationLabel(at - base, step, to - base)}` }));
  return { base, ticks };
}

/** Time of day in the zone of the browser; nanoseconds since 1970. */
export function clockTicks(from: bigint, to: bigint, count: number): TimeTick[] {
  const wanted = wantedStep(from, to, count);
  // Steps are up to five times as long as the one before: where a single tick would be on the axis, the one before.
  const fitting = CLOCK_STEPS.findIndex((each) => each >= wanted);
  const step = CLOCK_STEPS[Math.max(0, (to - from) / 2n < (CLOCK_STEPS[fitting] ?? 0n) ? fitting - 1 : fitting)];
  if (fitting < 0 || step === undefined) return monthTicks(from, to, wanted);
  if (step >= DAY) return dayTicks(from, to, Number(step / DAY));
  // Whole hours of this zone are not whole hours since 1970 everywhere.
  const zone = -BigInt(dateOf(from).getTimezoneOffset()) * MINUTE;
  return multiples(step, from + zone, to + zone).map((local) => ({
    at: local - zone,
    label: clockLabel(local - zone, step),
  }));
}

function monthTicks(from: bigint, to: bigint, wanted: bigint): TimeTick[] {
  const months = MONTHS.find((each) => BigInt(each) * MONTH >= wanted) ?? MONTHS.at(-1)!;
  const start = dateOf(from);
  const first = Math.floor((start.getFullYear() * 12 + start.getMonth()) / months) * months;
  const label: Intl.DateTimeFormatOptions = months >= 12 ? { year: "numeric" } : { month: "short", year: "numeric" };
  return datesBetween(
    from,
    to,
    (index) => new Date(Math.floor((first + index * months) / 12), (first + index * months) % 12),
    label,
  );
}

function dayTicks(from: bigint, to: bigint, days: number): TimeTick[] {
  const start = dateOf(from);
  // Weeks begin on Sunday, other steps at the beginning of the month.
  const day = days === 7 ? start.getDate() - start.getDay() : start.getDate() - ((start.getDate() - 1) % days);
  const make = (index: number): Date => new Date(start.getFullYear(), start.getMonth(), day + index * days);
  return datesBetween(from, to, make, { month: "short", day: "numeric" });
}

function datesBetween(
  from: bigint,
  to: bigint,
  make: (index: number) => Date,
  label: Intl.DateTimeFormatOptions,
): TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let index = 0; ; index += 1) {
    const date = make(index);
    const at = BigInt(date.getTime()) * 1_000_000n;
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, label: date.toLocaleDateString("en", label) });
  }
}

function clockLabel(at: bigint, step: bigint): string {
  const date = dateOf(at);
  const isMidnight = date.getHours() + date.getMinutes() + date.getSeconds() === 0 && at % SECOND === 0n;
  if (isMidnight) return date.toLocaleDateString("en", { month: "short", day: "numeric" });
  const seconds = step < MINUTE ? { second: "2-digit" as const } : {};
  const text = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...seconds });
  if (step >= SECOND) return text;
  // Three digits at least: ticks of a tenth of a second read as milliseconds.
  const digits = Math.max(3, 9 - trailingZeros(step));
  return `${text}.${String(at - floorTo(SECOND, at))
    .padStart(9, "0")
    .slice(0, digits)}`;
}

/** A duration with the digits that a step asks for; `largest` decides the unit, so that all ticks have the same. */
export function durationLabel(at: bigint, step: bigint, largest: bigint): string {
  if (step >= SECOND) return formatSeconds(Number(at / SECOND));
  const [unit, name] =
    largest >= SECOND
      ? [SECOND, "s"]
      : largest >= 1_000_000n
        ? [1_000_000n, "ms"]
        : largest >= 1000n
          ? [1000n, "µs"]
          : [1n, "ns"];
  const whole = abs(at) / unit;
  const rest =
    unit > 1n
      ? String(abs(at) % unit)
          .padStart(String(unit).length - 1, "0")
          .replace(/0+$/, "")
      : "";
  return `${at < 0n ? MINUS : ""}${whole}${rest && `.${rest}`} ${name}`;
}

const wantedStep = (from: bigint, to: bigint, count: number): bigint => {
  const span = to - from;
  const parts = BigInt(Math.max(1, count));
  return span <= parts ? 1n : (span + parts - 1n) / parts;
};

function stepFor(steps: readonly bigint[], beyond: bigint, from: bigint, to: bigint, count: number): bigint {
  const wanted = wantedStep(from, to, count);
  return steps.find((step) => step >= wanted) ?? ((wanted + beyond - 1n) / beyond) * beyond;
}

function multiples(step: bigint, from: bigint, to: bigint): bigint[] {
  const found: bigint[] = [];
  for (let at = -floorTo(step, -from); at <= to; at += step) found.push(at);
  return found;
}

/** Towards the past, also before 0. */
function floorTo(unit: bigint, at: bigint): bigint {
  const rest = at % unit;
  return at - (rest < 0n ? rest + unit : rest);
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const dateOf = (at: bigint): Date => new Date(Number(floorTo(1_000_000n, at) / 1_000_000n));
const trailingZeros = (value: bigint): number => /0*$/.exec(String(value))![0].length;
