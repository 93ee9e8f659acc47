/** Moving through the slices that match a search, which are in order of time. */

import { format } from "$public/core";
import type { Matches } from "../../wire";

/** The position of a slice among the matches; -1: it is none. */
export const positionOf = ({ slice }: Matches, selected: number | null): number =>
  selected === null ? -1 : slice.indexOf(selected);

/** The position of the next or the previous match, round the end; without a position, from a time on. -1: no match. */
export function stepMatch({ slice, start }: Matches, position: number, step: 1 | -1, from: number): number {
  const count = slice.length;
  if (count === 0) return -1;
  if (position >= 0) return (position + step + count) % count;
  let first = start.findIndex((time) => time >= from);
  if (first < 0) first = count;
  return step > 0 ? first % count : (first - 1 + count) % count;
}

/** "3 of 100", "100 matches", "No matches". */
export function matchText(matches: Matches | null, position: number): string {
  if (!matches) return "";
  if (matches.total === 0) return "No matches";
  const total = format.count(matches.total);
  return position >= 0 ? `${format.count(position + 1)} of ${total}` : `${total} found`;
}
