/** How the distance of rows is measured, in the address and in words. */

import { parseJson } from "$public/core";

export interface DistancePreference {
  readonly norm: "l1" | "l2";
  readonly standardize: boolean;
  /** Features that a counterfactual may not change. */
  readonly fixed: readonly string[];
  /** 0: another class; of numbers one standard deviation of the predictions. */
  readonly minDifference: number;
}

export const DEFAULT_DISTANCE: DistancePreference = { norm: "l1", standardize: true, fixed: [], minDifference: 0 };

export const textOfDistance = (distance: DistancePreference): string | undefined => {
  const text = JSON.stringify(distance);
  return text === JSON.stringify(DEFAULT_DISTANCE) ? undefined : text;
};

export function distanceOfText(text: string | undefined): DistancePreference {
  const parsed = (text === undefined ? null : parseJson(text)) as Partial<DistancePreference> | null;
  if (typeof parsed !== "object" || parsed === null) return DEFAULT_DISTANCE;
  const fixed = Array.isArray(parsed.fixed) ? parsed.fixed.filter((name) => typeof name === "string") : [];
  const least = Number(parsed.minDifference);
  return {
    norm: parsed.norm === "l2" ? "l2" : "l1",
    standardize: parsed.standardize !== false,
    fixed,
    minDifference: Number.isFinite(least) && least > 0 ? least : 0,
  };
}

export const distanceTitle = ({ norm, standardize }: DistancePreference): string =>
  `${norm.toUpperCase()}, ${standardize ? "standardized" : "raw"}`;

/** The four ways, for a menu. */
export const DISTANCES = (["l1", "l2"] as const).flatMap((norm) =>
  [true, false].map((standardize) => ({ norm, standardize })),
);
