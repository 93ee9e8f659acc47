/** What is said while a trace is read. */

import { format } from "$public/core";
import type { ReadingState } from "../wire";

const MEGABYTE = 1e6;

/** "420 of 2,048 MB" */
export function readingText({ bytes_read, bytes_total }: ReadingState): string {
  const inMegabytes = (bytes: number): string => format.count(bytes / MEGABYTE, bytes_total < 10 * MEGABYTE ? 1 : 0);
  return `${inMegabytes(bytes_read)} of ${inMegabytes(bytes_total)} MB`;
}

/** Between 0 and 1. */
export const readingShare = ({ bytes_read, bytes_total }: ReadingState): number =>
  bytes_total > 0 ? Math.min(1, bytes_read / bytes_total) : 0;

/** What the bar says of a trace that ends too early: "trace ends in step 423"; "" if none does. */
export function cutOffText(problems: readonly string[]): string {
  const found = problems.find((problem) => /\bends\b|cut[ -]?off|truncated/i.test(problem));
  return found === undefined ? "" : (/trace ends in [^.:;,]+/i.exec(found)?.[0] ?? "trace is cut off");
}
