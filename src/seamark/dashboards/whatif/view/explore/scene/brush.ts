/** Brush: a box or a lasso in one facet, in the units of its axes, so that it stays in the address. */

import { parseJson } from "$public/core";
import { viewports } from "$public/charts";
import type { Facet } from "../fields/facets";

export interface Brush {
  readonly facet: string;
  /** The corners; a box has two, opposite ones. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export function brushOfText(text: string | undefined): Brush | null {
  const parsed = (text === undefined ? null : parseJson(text)) as Partial<Record<keyof Brush, unknown>> | null;
  if (typeof parsed !== "object" || parsed === null) return null;
  const { facet, x, y } = parsed;
  if (typeof facet !== "string" || !isNumbers(x) || !isNumbers(y) || x.length !== y.length || x.length < 2) return null;
  return { facet, x, y };
}

const isNumbers = (list: unknown): list is number[] =>
  Array.isArray(list) && list.every((item) => typeof item === "number");

const MAX_CORNERS = 64;
const DIGITS = 5;

/** A long lasso has fewer corners in the address than on the screen. */
export function textOfBrush({ facet, x, y }: Brush): string {
  const step = Math.max(1, Math.ceil(x.length / MAX_CORNERS));
  const short = (list: readonly number[]): number[] =>
    list.filter((_, at) => at % step === 0).map((value) => Number(value.toPrecision(DIGITS)));
  return JSON.stringify({ facet, x: short(x), y: short(y) });
}

export const isBox = ({ x }: Brush): boolean => x.length === 2;

/** The rows of the facet inside, in ascending order. `y` null: only x counts, as in a histogram. */
export function rowsInBrush(
  brush: Brush,
  facets: readonly Facet[],
  x: Float32Array,
  y: Float32Array | null,
): Uint32Array {
  const rows = facets.find(({ name }) => name === brush.facet)?.rows ?? new Uint32Array();
  const inBox = rowsInBox(brush, rows, x, y);
  if (isBox(brush) || !y) return inBox;
  const isInside = viewports.lassoTest(brush);
  return inBox.filter((row) => isInside(x[row]!, y[row]!));
}

/** A loop, not a filter: it runs over all rows in every frame while the box is drawn. */
function rowsInBox(brush: Brush, rows: Uint32Array, x: Float32Array, y: Float32Array | null): Uint32Array {
  const [left, right] = [Math.min(...brush.x), Math.max(...brush.x)];
  const [low, high] = y ? [Math.min(...brush.y), Math.max(...brush.y)] : [-Infinity, Infinity];
  const upward = y ?? x;
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const [across, up] = [x[row]!, upward[row]!];
    if (across >= left && across <= right && up >= low && up <= high) found[count++] = row;
  }
  return found.slice(0, count);
}
