/** The state of the Trace page as texts of the address, which may be anything. */

import type { Span } from "../load";

/** A marked part of the trace. */
export interface MarkedArea extends Span {
  /** Ids of tracks; null: all. */
  readonly tracks: readonly number[] | null;
}

const MAX_LISTED = 1000;

/** "1200" */
export function parseNs(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d{1,16}$/.test(text)) return null;
  return Number(text);
}

export const formatNs = (ns: number): string => String(Math.round(ns));

export function parseSpan(start: string | undefined, end: string | undefined): Span | null {
  const [from, to] = [parseNs(start), parseNs(end)];
  return from !== null && to !== null && to > from ? { start: from, end: to } : null;
}

/** "3,17" */
export function parseNumbers(text: string | undefined): number[] {
  if (!text) return [];
  const numbers = text.split(",").filter((part) => /^\d{1,10}$/.test(part));
  return numbers.slice(0, MAX_LISTED).map(Number);
}

/** "1200-4500" or "1200-4500:0,3,4" with the ids of tracks. */
export function parseArea(text: string | undefined): MarkedArea | null {
  const match = /^(\d{1,16})-(\d{1,16})(?::([\d,]+))?$/.exec(text ?? "");
  const span = match && parseSpan(match[1], match[2]);
  return span && { ...span, tracks: match[3] === undefined ? null : parseNumbers(match[3]) };
}

export function formatArea({ start, end, tracks }: MarkedArea): string {
  const span = `${formatNs(start)}-${formatNs(end)}`;
  return tracks === null ? span : `${span}:${tracks.join(",")}`;
}

/** Keys of tracks, counters, processes and pools: "t3,c0,p1,q7"; "-": none. undefined if the address says nothing. */
export function parseKeys(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return text.split(",").filter((part) => /^(?:[tcpq]\d{1,7}|counters)$/.test(part));
}

export const formatKeys = (keys: Iterable<string>): string => [...keys].slice(0, MAX_LISTED).join(",") || "-";

/** Steps drawn by hand: "start-end,start-end". */
export function parseSteps(text: string | undefined): Span[] {
  return (text ?? "").split(",").flatMap((part) => parseArea(part) ?? []);
}

/** With another step; what it overlaps is replaced. */
export function addStep(steps: readonly Span[], added: Span): string {
  const kept = steps.filter(({ start, end }) => end <= added.start || start >= added.end);
  return [...kept, added]
    .sort((a, b) => a.start - b.start)
    .map((step) => formatArea({ ...step, tracks: null }))
    .join(",");
}
