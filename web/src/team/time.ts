/** Times as lists of the team show them. The server's times are seconds since 1970. */

import { formatSeconds } from "../base/format";

const DAY_SECS = 86_400;
const NEARLY = 0.01;
const PART_SECS = [DAY_SECS, 3600, 60] as const;

/** "3 h ago"; "just now" below a minute, a date after thirty days. */
export function formatAge(at: number, nowSecs: number = Date.now() / 1000): string {
  const age = nowSecs - at;
  if (age < 60) return "just now";
  if (age > 30 * DAY_SECS) return formatDay(at);
  return `${formatSeconds(floorToUnit(age))} ago`;
}

/** "in 6 d", "expired 2 h ago", "never expires". */
export function formatExpiry(at: number | null, nowSecs: number = Date.now() / 1000): string {
  if (at === null) return "never expires";
  const left = at - nowSecs;
  if (left <= 0) return left > -60 ? "expired just now" : `expired ${formatAge(at, nowSecs)}`;
  // What was made a moment ago to last for 7 days ends in 7 days, not in 6.
  return `expires in ${formatSeconds(Math.max(60, floorToUnit(left * (1 + NEARLY))))}`;
}

/** One unit is enough to read in a list. */
const floorToUnit = (secs: number): number => {
  const unit = PART_SECS.find((part) => secs >= part) ?? 1;
  return Math.floor(secs / unit) * unit;
};

const two = (part: number): string => String(part).padStart(2, "0");

/** "2026-11-17", in the time zone of the browser. */
export function formatDay(at: number): string {
  const date = new Date(at * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** "2026-11-17 23:31" */
export function formatTime(at: number): string {
  const date = new Date(at * 1000);
  return `${formatDay(at)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
