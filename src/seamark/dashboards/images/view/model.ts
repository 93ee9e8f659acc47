/** Images as data: what a step holds, how many tiles fit, what the address says. No page needed. */

import { formatBytes, formatCount, type PayloadList } from "$public/core";

export const KIND = "images";

export interface Sample {
  readonly mime: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number;
  /** What is wrong with it, as a sentence; "" is nothing. */
  readonly fault: string;
  /** False when a browser must not or cannot draw it. */
  readonly is_shown: boolean;
}

/** What one step holds. */
export interface Held {
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly samples: readonly Sample[];
  readonly fault: string;
}

export interface SeriesList extends PayloadList {
  readonly newest: Held | null;
}

/** One picture: of a run and a tag, at a step (null is the newest), one of the step's samples. */
export interface Picked {
  readonly run: string;
  readonly tag: string;
  readonly step: number | null;
  readonly sample: number;
}

export const keyOf = (run: string, tag: string): string => `${run}\n${tag}`;
export const isVideo = (sample: Sample | undefined): boolean => sample?.mime.startsWith("video/") ?? false;

export function asText({ run, tag, step, sample }: Picked): string {
  return JSON.stringify([run, tag, step, sample]);
}

/** Addresses come from anywhere: what is not understood is none. */
export function parsePicked(text: string | undefined): Picked | null {
  const [run, tag, step, sample] = parseList(text);
  if (typeof run !== "string" || typeof tag !== "string") return null;
  return { run, tag, step: whole(step), sample: Math.max(0, whole(sample) ?? 0) };
}

const whole = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : null;

function parseList(text: string | undefined): unknown[] {
  try {
    const list: unknown = JSON.parse(text ?? "null");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export const parseNames = (text: string | undefined): string[] =>
  parseList(text).filter((name) => typeof name === "string");

/** Steps of single cards, as pairs of key and step. */
export function parseSteps(text: string | undefined): ReadonlyMap<string, number> {
  return new Map(
    parseList(text).filter(
      (pair): pair is [string, number] => Array.isArray(pair) && typeof pair[0] === "string" && whole(pair[1]) !== null,
    ),
  );
}

export const serialiseSteps = (steps: ReadonlyMap<string, number>): string | undefined =>
  steps.size > 0 ? JSON.stringify([...steps]) : undefined;

/** Places of the list in the order of their steps: with every attempt of a restarted run, steps go back in between. */
export function inStepOrder(steps: readonly number[]): number[] {
  const places = steps.map((_, place) => place);
  return steps.every((step, place) => place === 0 || steps[place - 1]! <= step)
    ? places
    : places.sort((a, b) => steps[a]! - steps[b]! || a - b);
}

/** As many columns as make the tiles of a box largest. */
export function tileColumns(count: number, width: number, height: number, aspect: number): number {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns, (height / rows) * aspect);
    if (size > best.size) best = { columns, size };
  }
  return best.columns;
}

const SIDES = [64, 128, 256, 512, 1024];

/** The side of a thumbnail for a box of so many CSS pixels; undefined when only the image itself will do. */
export function sideFor(pixels: number, ratio: number): number | undefined {
  return SIDES.find((side) => side >= pixels * ratio);
}

/** "144 × 144 · PNG · 62.4 kB", or the size alone. */
export function noteOf(sample: Sample | undefined, { short = false } = {}): string {
  if (!sample) return "…";
  const size =
    sample.width !== null && sample.height !== null
      ? `${formatCount(sample.width)} × ${formatCount(sample.height)} · `
      : "";
  if (short && size) return size.slice(0, -3);
  const kind = sample.mime === "application/octet-stream" ? "unknown" : sample.mime.replace(/^.*\//, "").toUpperCase();
  return `${size}${kind} · ${formatBytes(sample.bytes)}`;
}

export interface Light {
  /** 1 is as logged. */
  readonly brightness: number;
  readonly contrast: number;
}

export function filterOf({ brightness, contrast }: Light): string {
  return brightness === 1 && contrast === 1 ? "none" : `brightness(${brightness}) contrast(${contrast})`;
}

export const parseLight = (text: string | undefined): number => {
  const value = Number(text ?? "1");
  return Number.isFinite(value) ? Math.min(5, Math.max(0, value)) : 1;
};

/** A file name that every system takes. */
export function fileName({ run, tag, step, sample }: Picked, mime: string): string {
  const ending =
    ({ "image/jpeg": "jpg", "application/octet-stream": "bin" } as Record<string, string>)[mime] ??
    mime.replace(/^.*\//, "");
  const stem = [run, tag, `step ${step ?? 0}`, ...(sample > 0 ? [String(sample)] : [])]
    .join(" ")
    .replace(/[^\p{L}\p{N} ._=+-]+/gu, "_");
  return `${stem.slice(0, 150)}.${ending}`;
}
