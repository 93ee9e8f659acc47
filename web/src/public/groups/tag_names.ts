import { byName, groupByPrefix } from "../../base/tags";
import { withoutCaptions } from "../../data/captions";

/** Tags: compared by name, grouped by what is before the slash, and without the captions of images. */
export const tagNames = { compare: byName, groupByPrefix, withoutCaptions } as const;
