/** The device's limits that a person gives where the trace has none, such as those of a CPU: "5e10,2e10" in the address. */

import type { Roofline } from "../wire";

export interface Limits {
  /** FLOPs a second */
  readonly rate: number;
  /** bytes a second */
  readonly bandwidth: number;
}

const GIVEN_NOTE = "The limits were given on this page; the trace and its CSV do not have them.";

/** Null: none, or not two numbers above zero. */
export function parseLimits(text: string | undefined): Limits | null {
  const parts = (text ?? "").split(",");
  const [rate, bandwidth] = parts.map(Number) as [number, number];
  return parts.length === 2 && isLimit(rate) && isLimit(bandwidth) ? { rate, bandwidth } : null;
}

export const limitsText = ({ rate, bandwidth }: Limits): string => `${rate},${bandwidth}`;

/** The fields are in GFLOP/s and GB/s. Null until both are numbers above zero. */
export function limitsOfFields(rate: string, bandwidth: string): Limits | null {
  const limits = { rate: giga(rate), bandwidth: giga(bandwidth) };
  return isLimit(limits.rate) && isLimit(limits.bandwidth) ? limits : null;
}

/** A limit as its field shows it. */
export const fieldText = (limit: number | null | undefined): string =>
  limit ? String(Number((limit / 1e9).toPrecision(6))) : "";

/** The same operations below these limits. */
export function withLimits(roofline: Roofline, limits: Limits): Roofline {
  const ridge = limits.rate / limits.bandwidth;
  const rows = roofline.rows.map((row) => {
    if (row.bytes <= 0) return { ...row, bound: "unknown" as const };
    return { ...row, bound: row.intensity < ridge ? ("memory" as const) : ("compute" as const) };
  });
  return {
    ...roofline,
    rows,
    peak_flop_rate: limits.rate,
    peak_bandwidth: limits.bandwidth,
    are_peaks_nominal: false,
    peaks_note: GIVEN_NOTE,
  };
}

/** A field that is empty counts as not a number, not as zero. */
const giga = (text: string): number => (text.trim() === "" ? NaN : Number(text) * 1e9);

const isLimit = (value: number): boolean => Number.isFinite(value) && value > 0;
