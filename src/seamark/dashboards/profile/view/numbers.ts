/** Times and shares as text: nanoseconds as ns, µs, ms or s with four significant digits. */

export interface TimeUnit {
  readonly name: "ns" | "µs" | "ms" | "s";
  readonly ns: number;
  /** Digits after the point, so that the largest number has four. */
  readonly digits: number;
}

const UNITS = [
  { name: "s", ns: 1e9 },
  { name: "ms", ns: 1e6 },
  { name: "µs", ns: 1e3 },
  { name: "ns", ns: 1 },
] as const;
const SIGNIFICANT = 4;
const MINUS = "−";

const withMinus = (text: string): string => text.replace("-", MINUS);

/** The unit in which a column of times is written, if this is the largest. */
export function timeUnit(largestNs: number): TimeUnit {
  const size = Math.abs(largestNs);
  const unit = UNITS.find(({ ns }) => Number((size / ns).toPrecision(SIGNIFICANT)) >= 1) ?? UNITS[3];
  const whole = Math.max(1, Math.floor(Math.log10(Math.max(1, size / unit.ns))) + 1);
  return { ...unit, digits: unit.name === "ns" ? 0 : Math.max(0, SIGNIFICANT - whole) };
}

/** The number alone: "241.2". */
export const inUnit = (ns: number, unit: TimeUnit): string => withMinus((ns / unit.ns).toFixed(unit.digits));

/** "212.4 ms", "30.1 ms", "1.5 s", "0 ns". */
export function timeText(ns: number, significant = SIGNIFICANT): string {
  const unit = timeUnit(ns);
  const value = Number((ns / unit.ns).toPrecision(significant));
  const [whole, part] = String(value).split(".");
  const grouped = whole!.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${withMinus(part === undefined ? grouped : `${grouped}.${part}`)} ${unit.name}`;
}

/** A share between 0 and 1: "14.2%". */
export const percentText = (share: number): string => `${withMinus((share * 100).toFixed(1))}%`;
