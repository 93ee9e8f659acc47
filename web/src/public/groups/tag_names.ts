import { escapePattern, MAX_PATTERN } from "../../base/patterns.svelte";
import { byName, groupByPrefix } from "../../base/tags";
import { withoutCaptions } from "../../data/captions";

/** Tags: compared by name, grouped by what is before the slash, without the captions of images, and as filters. */
export const tagNames = { compare: byName, groupByPrefix, withoutCaptions, escapePattern, MAX_PATTERN } as const;
