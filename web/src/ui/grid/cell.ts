/** Cells as people read them. */

import { formatCount, formatSeconds } from "../../base/format";
import type { Cell, ColumnType } from "../../data/table";

const MINUS = "−";
/** Four-digit whole numbers are left alone: steps and seeds are read as names. */
const GROUPED_FROM = 100_000;

/** Four digits that mean something, no more zeros than needed: 64, 0.0274, 1e−3, 2.5e−5. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9)
    return size < GROUPED_FROM ? String(value).replace("-", MINUS) : formatCount(value);
  const text =
    size !== 0 && (size < 1e-3 || size >= 1e6)
      ? (+value.toPrecision(4)).toExponential().replace("e+", "e")
      : String(+value.toPrecision(4));
  return text.replace(/-/g, MINUS);
}

export function cellWords(value: Cell | undefined, type: ColumnType): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value !== "number") return String(value);
  if (type === "duration" && Number.isFinite(value)) return formatSeconds(value);
  if (type === "time" && Number.isFinite(value)) return dateWords(value);
  return formatNumber(value);
}

/** "16 Nov 26, 03:28": the same width in every row. */
function dateWords(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "";
  const day = date.toLocaleDateString("en-GB", { day: "2-digit", month: "short", year: "2-digit" });
  return `${day}, ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
