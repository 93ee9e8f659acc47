/** Cells as people read them. */

import { formatNumber, formatSeconds } from "../../base/format";
import type { Cell, ColumnType } from "../../data/table";

/** What a screen reader says and hovering shows for a value that is not known, whose cell has the class "not-known". */
export const UNKNOWN_LABEL = "not known";

/** Nothing for what is not known: the class "not-known" draws "–", so that a copied cell is empty. */
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
