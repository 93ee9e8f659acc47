/** Shares, differences and intervals as people read them. */

const MINUS = "−";

export function percent(value: number | null): string {
  return value === null ? "n/a" : `${(value * 100).toFixed(1)}%`;
}

/** A difference of two shares in points, with its sign. */
export function points(value: number | null): string {
  if (value === null) return "n/a";
  const size = Math.abs(value * 100).toFixed(1);
  return `${value < 0 && size !== "0.0" ? MINUS : "+"}${size} pt`;
}

/** An estimate without the digits far below its interval: the mean of exact errors is 0, not 6e-15. */
export function withinInterval(value: number, low: number | null, high: number | null): number {
  const width = (high ?? 0) - (low ?? 0);
  if (!(width > 0)) return value;
  const unit = 10 ** (Math.floor(Math.log10(width)) - 3);
  return Number((Math.round(value / unit) * unit).toPrecision(12)) || 0;
}

/** "79.7 to 84.2": units are in the value itself. */
export function intervalText(low: number | null, high: number | null, text: (value: number) => string): string {
  if (low === null || high === null) return "";
  const bare = (value: number): string => text(value).replace(/%| pt/, "");
  return `${bare(low)} to ${bare(high)}`;
}
