/** The columns beside the name, and what stands in them: "–" for what is not known. */

import { formatCount, formatSeconds, formatValue } from "../../base/format";
import type { RunEntry, SortKey } from "./entry";

export interface Column {
  readonly key: SortKey;
  readonly title: string;
  readonly widthPx: number;
}

export const COLUMNS: readonly Column[] = [
  { key: "points", title: "Points", widthPx: 68 },
  { key: "start", title: "Start", widthPx: 74 },
  { key: "last", title: "Last", widthPx: 64 },
];
const UNKNOWN = "–";
const DEFAULT = "";

/** `valueTitle` is what the column of values is called, or "". */
export function readColumns(text: string | undefined, valueTitle: string): Column[] {
  const wanted = (text ?? DEFAULT).split(",");
  const value: Column[] = valueTitle === "" ? [] : [{ key: "value", title: valueTitle, widthPx: 96 }];
  return [...value, ...COLUMNS.filter(({ key }) => wanted.includes(key))];
}

/** The text for the address after one column was switched. */
export function toggleColumn(text: string | undefined, key: SortKey): string | undefined {
  const wanted = new Set((text ?? DEFAULT).split(",").filter(Boolean));
  if (!wanted.delete(key)) wanted.add(key);
  const next = COLUMNS.map((column) => column.key)
    .filter((each) => wanted.has(each))
    .join(",");
  return next === DEFAULT ? undefined : next;
}

export function cellText(key: SortKey, entry: RunEntry, value: number | undefined, nowMs: number): string {
  const { points, first_wall: first, last_wall: last } = entry.run;
  if (key === "points") return formatCount(points);
  if (key === "value") return value === undefined ? UNKNOWN : formatValue(value);
  if (key === "start") return first === null ? UNKNOWN : shortDate(first * 1000, nowMs);
  return last === null ? UNKNOWN : ageText(nowMs / 1000 - last);
}

function shortDate(timeMs: number, nowMs: number): string {
  const date = new Date(timeMs);
  if (!Number.isFinite(date.getTime())) return "";
  const isToday = date.toDateString() === new Date(nowMs).toDateString();
  if (isToday) return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "2-digit" });
}

/** The largest unit is enough in a column: 5 s, 12 m, 3 h, 8 d. */
export function ageText(seconds: number): string {
  if (seconds < 0) return "now";
  return formatSeconds(
    seconds < 60
      ? Math.round(seconds)
      : seconds < 3600
        ? Math.floor(seconds / 60) * 60
        : seconds < 86_400
          ? Math.floor(seconds / 3600) * 3600
          : Math.floor(seconds / 86_400) * 86_400,
  );
}
