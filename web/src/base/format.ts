/** Numbers and times as people read them: a true minus sign, thousands grouped in prose, short on axes. */

const MINUS = "−";
const withMinus = (text: string): string => text.replace(/-/g, MINUS);

/** Thousands apart, at most so many digits after the point. Not Intl's: the first formatter takes a browser 20 ms, before the first chart. */
export function formatCount(value: number, digits = 3): string {
  const [whole, part] = String(+value.toFixed(digits)).split(".");
  const apart = whole!.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return withMinus(part === undefined ? apart : `${apart}.${part}`);
}

/** "1 run", "2,000 runs". */
export const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Short enough for an axis: 25k, 1.5M, 5e−3. */
export function formatAxis(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e9 || size < 1e-3) return withMinus((+value.toPrecision(3)).toExponential().replace("e+", "e"));
  if (size >= 1e6) return withMinus(`${+(value / 1e6).toPrecision(4)}M`);
  if (size >= 1e3) return withMinus(`${+(value / 1e3).toPrecision(4)}k`);
  return withMinus(String(+value.toPrecision(4)));
}

const SHORT_UNITS = ["", "k", "M", "G", "T", "P"];

/** Three digits and a letter for the size: 786k, 38.6M, 4.83G. */
export function formatShort(value: number): string {
  let unit = 0;
  let size = value;
  while (Math.abs(size) >= 999.5 && unit < SHORT_UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return withMinus(`${+size.toPrecision(3)}${SHORT_UNITS[unit]}`);
}

/** A time that operations take: 45 µs, 0.23 ms, 1.2 s. */
export function formatMicroseconds(us: number): string {
  if (us < 100) return `${+us.toPrecision(3)} µs`;
  return us < 1e6 ? `${+(us / 1000).toPrecision(3)} ms` : `${+(us / 1e6).toPrecision(3)} s`;
}

/** Whole numbers below this are left alone in settings: steps and seeds are read as names. */
const GROUPED_FROM = 100_000;

/** What is not finite, very large or very small: the same everywhere. Null for other numbers. */
function formatExtreme(value: number): string | null {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e6)) return null;
  return Number.isInteger(value) && size < 1e9
    ? formatCount(value)
    : withMinus((+value.toPrecision(4)).toExponential().replace("e+", "e"));
}

/** A measured value: four digits that mean something, under each other in a column. */
export function formatValue(value: number): string {
  const extreme = formatExtreme(value);
  if (extreme !== null) return extreme;
  const size = Math.abs(value);
  if (size >= 1000) return formatCount(value, 1);
  // Accuracies close to 1 differ by what is missing.
  return withMinus(value.toFixed(size > 0.999 && size < 1 ? 6 : 4));
}

/** A setting: four digits that mean something, no more zeros than needed: 64, 0.0274, 1e−4, 2.5e−5. */
export function formatNumber(value: number): string {
  const extreme = formatExtreme(value);
  if (extreme !== null) return extreme;
  if (Number.isInteger(value)) return Math.abs(value) < GROUPED_FROM ? withMinus(String(value)) : formatCount(value);
  return withMinus(String(+value.toPrecision(4)));
}

/** A span of time in its two largest units: 4 h 14 m. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0) return MINUS + formatSeconds(-seconds);
  if (seconds < 10) return `${+seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, "m", Math.floor(seconds % 60), "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, "h", minutes % 60, "m");
  return two(Math.floor(hours / 24), "d", hours % 24, "h");
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${String(small).padStart(2, "0")} ${smallUnit}`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}
