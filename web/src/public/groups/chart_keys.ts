import { lineKey, runOfKey, tagOfKey } from "../scalar_card/combine";

/** Keys of lines in a chart of several tags. */
export const chartKeys = { line: lineKey, runOf: runOfKey, tagOf: tagOfKey } as const;
