/** The ends of custom axes as the fields have them. */

import type { AxisEnd, CustomAxis } from "../../wire";

const EMPTY: AxisEnd = { text: "", column: "", is_regex: false };

/** One for each axis; those that nobody has named yet are empty. */
export const shownAxes = (axes: readonly CustomAxis[], dims: number): CustomAxis[] =>
  Array.from({ length: dims }, (_, at) => axes[at] ?? { start: EMPTY, end: EMPTY });

export function changeEnd(
  axes: readonly CustomAxis[],
  { axis, end, change }: { axis: number; end: "start" | "end"; change: Partial<AxisEnd> },
): CustomAxis[] {
  return axes.map((one, at) => (at === axis ? { ...one, [end]: { ...one[end], ...change } } : one));
}

/** Searches the texts of all ends in one column; "" is any. */
export const changeColumn = (axes: readonly CustomAxis[], column: string): CustomAxis[] =>
  axes.map(({ start, end }) => ({ start: { ...start, column }, end: { ...end, column } }));

/** Every axis has both texts or none, and one of them has both: those without have the largest variance of the rest. */
export const isComplete = (axes: readonly CustomAxis[]): boolean =>
  axes.some(({ start }) => start.text !== "") &&
  axes.every(({ start, end }) => (start.text === "") === (end.text === ""));
