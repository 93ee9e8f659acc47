import { atOrBefore, nearest, unionOf } from "../../base/steps";

/** Finds a step in a sorted list, and joins lists of steps. */
export const stepLists = { atOrBefore, nearest, union: unionOf } as const;
