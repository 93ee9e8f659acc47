import { escapePattern, MAX_PATTERN } from "../../base/patterns.svelte";
import { byName, groupByPrefix, isMachineTag } from "../../base/tags";
import { withoutCaptions } from "../../data/captions";

/** Tags: compared by name, grouped by what is before the slash, whether they are about the machine, without the captions of images, and as filters. */
export const tagNames = {
  compare: byName,
  groupByPrefix,
  isMachine: isMachineTag,
  withoutCaptions,
  escapePattern,
  MAX_PATTERN,
} as const;
