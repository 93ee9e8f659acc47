import { lowerBound, upperBound } from "../../base/binary_search";
import { atOrBefore, nearest, unionOf } from "../../base/steps";

/** Positions in sorted numbers such as steps, by value; lists of steps as one. */
export const sortedLists = { lowerBound, upperBound, atOrBefore, nearest, union: unionOf } as const;
