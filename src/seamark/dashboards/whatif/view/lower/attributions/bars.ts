/** The bars of attributions: where each begins and ends, and its number with as many digits as its error allows. */

import { format } from "$public/core";
import type { Attribution } from "../../wire";

export interface AttributionBar {
  readonly feature: string;
  /** In percent of the width. */
  readonly from: number;
  readonly to: number;
  readonly whiskerFrom: number;
  readonly whiskerTo: number;
  readonly zero: number;
  readonly isNegative: boolean;
  /** Whether zero is inside its 95 % interval. */
  readonly isUncertain: boolean;
  readonly text: string;
}

const INTERVAL = 1.96;

export function barsOf(attributions: readonly Attribution[]): readonly AttributionBar[] {
  const reach = ({ value, error }: Attribution): readonly number[] => {
    const half = Number.isFinite(error) ? INTERVAL * error : 0;
    return [value - half, value + half];
  };
  const ends = attributions.flatMap(reach);
  const low = Math.min(0, ...ends);
  const high = Math.max(0, ...ends);
  const percent = (value: number): number => (high === low ? 0 : (100 * (value - low)) / (high - low));
  return attributions.map((entry) => {
    const [from, to] = reach(entry) as [number, number];
    return {
      feature: entry.feature,
      from: percent(Math.min(0, entry.value)),
      to: percent(Math.max(0, entry.value)),
      whiskerFrom: percent(from),
      whiskerTo: percent(to),
      zero: percent(0),
      isNegative: entry.value < 0,
      isUncertain: entry.error > 0 && from < 0 && to > 0,
      text: measuredText(entry.value, entry.error),
    };
  });
}

/** Never more precise than measured: the last digit shown is the first digit of the error. */
export function measuredText(value: number, error: number): string {
  if (error === 0 || !Number.isFinite(error)) return signed(format.count(+value.toPrecision(3), 6), value);
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(error))));
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(error)));
  const round = (number: number): string =>
    unit > 1 ? format.count(Math.round(number / unit) * unit) : number.toFixed(digits).replace("-", "−");
  return `${signed(round(value), value)} ± ${round(Math.max(error, 10 ** -digits))}`;
}

const signed = (text: string, value: number): string => (value > 0 && !text.startsWith("+") ? `+${text}` : text);
