/** How many tiles fit, and what the address says. */

import { parseJson, type PickedImage } from "$public/core";

export function asText({ run, tag, step, sample }: PickedImage): string {
  return JSON.stringify([run, tag, step, sample]);
}

/** Addresses come from anywhere: null if it is not understood. */
export function parsePicked(text: string | undefined): PickedImage | null {
  const list = parseJson(text);
  const [run, tag, step, sample] = Array.isArray(list) ? (list as unknown[]) : [];
  if (typeof run !== "string" || typeof tag !== "string") return null;
  return { run, tag, step: whole(step), sample: Math.max(0, whole(sample) ?? 0) };
}

const whole = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : null;

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
