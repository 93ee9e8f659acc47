/** The choices of the performance tab. */

import type { InfoResponse } from "../../wire";

/** More sliders than this do not fit into the bar; the table below has a field in each row then. */
export const MAX_SLIDERS = 3;
/** The cost of a false negative where a false positive costs 1. */
export const RATIOS: readonly number[] = [0.1, 0.2, 0.25, 1 / 3, 0.5, 1, 2, 3, 4, 5, 10];
/** A category with more names than this makes too many slices. */
const MAX_NAMES = 256;

/** As people say it: "1 : 2", "4 : 1". */
export function ratioText(ratio: number): string {
  const side = (value: number): string => String(Math.round(value * 100) / 100);
  return ratio >= 1 ? `1 : ${side(ratio)}` : `${side(1 / ratio)} : 1`;
}

/** The columns that make sense to slice by: numbers are cut into ranges. */
export function sliceColumns(info: InfoResponse | null): readonly string[] {
  return (info?.columns ?? [])
    .filter(({ type, role, names }) => {
      if (role === "ignored" || role === "prediction" || role === "id" || role === "weight") return false;
      return type === "number" || type === "boolean" || (type === "category" && names.length <= MAX_NAMES);
    })
    .map(({ name }) => name);
}
