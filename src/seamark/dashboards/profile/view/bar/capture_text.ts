/** Captures and hosts in words. */

import type { CaptureEntry } from "../wire";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number): string => String(value).padStart(2, "0");

/** "14 Nov, 14:31:08", with the year if it is not this one. */
export function captureTime(secs: number, now: Date = new Date()): string {
  const at = new Date(secs * 1000);
  const year = at.getFullYear() === now.getFullYear() ? "" : ` ${at.getFullYear()}`;
  return `${at.getDate()} ${MONTHS[at.getMonth()]}${year}, ${clockTime(secs)}`;
}

/** "14:31:08" */
export function clockTime(secs: number): string {
  const at = new Date(secs * 1000);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
}

/** The time, with the name where two captures of a run have the same. */
export function captureLabel(entry: CaptureEntry, ofRun: readonly CaptureEntry[]): string {
  const text = captureTime(entry.time);
  const isAmbiguous = ofRun.some((other) => other.name !== entry.name && captureTime(other.time) === text);
  return isAmbiguous ? `${text} · ${entry.name}` : text;
}

/** "3 of 3" for the newest of three: `ofRun` has the newest first. */
export const captureIndex = (entry: CaptureEntry, ofRun: readonly CaptureEntry[]): string =>
  `${ofRun.length - ofRun.findIndex(({ name }) => name === entry.name)} of ${ofRun.length}`;

export const hostLabel = (host: string): string => host || "this host";
