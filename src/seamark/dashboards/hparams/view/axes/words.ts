/** Picks and values as people read them. */

import { format } from "$public/core";
import { type Cell, cellText, columnIds, type ColumnType, type Condition } from "$public/tables";
import { NON_FINITE_WORD, type Brush } from "./brush";

/** A number that fits beside others: 0.861, 1e−3, 2 h 08 m. */
export function valueWords(value: Cell | undefined, type: ColumnType = "number"): string {
  if (value === null || value === undefined) return "–";
  return type === "number" && typeof value === "number" ? cellText.number(value) : cellText.of(value, type);
}

export function pickWords(pick: Condition, type: ColumnType): string {
  if (pick === null) return "none";
  if (typeof pick === "string")
    return pick === NON_FINITE_WORD && type === "number" ? "NaN, ∞" : pick === "" ? "(empty)" : pick;
  const words = (end: number): string => (type === "duration" ? format.seconds(end) : cellText.of(end, type));
  return pick[0] === pick[1] ? words(pick[0]) : `${words(pick[0])} to ${words(pick[1])}`;
}

const MAX_PICKS = 2;

/** "lr 3e−4 to 2.2e−3, optimizer adam or sgd and 2 more" */
export function brushWords(brush: Brush, typeOf: (id: string) => ColumnType): string {
  const parts = [...brush].map(([id, picks]) => {
    const words = picks.map((pick) => pickWords(pick, typeOf(id)));
    return `${columnIds.title(id)} ${words.slice(0, 3).join(" or ")}${words.length > 3 ? ` or ${words.length - 3} others` : ""}`;
  });
  return parts.length <= MAX_PICKS
    ? parts.join(", ")
    : `${parts.slice(0, MAX_PICKS).join(", ")} and ${parts.length - MAX_PICKS} more`;
}
