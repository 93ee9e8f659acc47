/** Positions along x as a person reads them. */

import { formatCount, formatSeconds, formatValue } from "../base/format";
import type { XUnit } from "./series";

export function readX(unit: XUnit, value: number): string {
  if (unit === "step") return formatCount(Math.round(value));
  if (unit === "relative") return formatSeconds(value);
  return unit === "wall" ? readWall(value) : formatValue(value);
}

export function readWall(wallSecs: number): string {
  const date = new Date(wallSecs * 1000);
  const time = date.toLocaleTimeString("en-GB");
  const today = date.toDateString() === new Date().toDateString();
  return today ? time : `${date.toLocaleDateString("en", { month: "short", day: "numeric" })}, ${time}`;
}
