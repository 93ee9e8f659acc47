import { byName, groupByPrefix, splitTag } from "../../base/tags";
import { withoutCaptions } from "../../data/captions";

/** Tags: compared by name, split at the slash, grouped by what is before it, and without the captions of images. */
export const tagNames = { compare: byName, split: splitTag, groupByPrefix, withoutCaptions } as const;
