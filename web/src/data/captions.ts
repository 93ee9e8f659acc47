/** Captions of pictures: the text logged as `<tag>/caption` at the same step (write/run/values.py). They stand at the pictures, not among the texts. */

import type { TagEntry } from "./api";
import { requestJson } from "./request";

const SUFFIX = "/caption";

export const captionTag = (tag: string): string => tag + SUFFIX;

/** Does the run log captions for this tag? `texts` are the catalogue's tags of texts. */
export const hasCaptions = (texts: readonly TagEntry[], tag: string, run: string): boolean =>
  texts.some((entry) => entry.tag === captionTag(tag) && entry.runs.includes(run));

/** The texts that are more than captions: without the runs in which a picture has them. */
export function withoutCaptions(texts: readonly TagEntry[], images: readonly TagEntry[]): readonly TagEntry[] {
  const pictured = new Map(images.map(({ tag, runs }) => [captionTag(tag), new Set(runs)]));
  return texts.flatMap((entry) => {
    const owned = pictured.get(entry.tag);
    if (!owned) return [entry];
    const runs = entry.runs.filter((run) => !owned.has(run));
    return runs.length > 0 ? [{ ...entry, runs }] : [];
  });
}

/** One for each sample of the step; "" for those without. */
export async function fetchCaptions(
  run: string,
  tag: string,
  step: number,
  samples: number,
): Promise<readonly string[]> {
  const query = new URLSearchParams({ run, tag, step: String(step), samples: String(samples) });
  return (await requestJson<{ captions: string[] }>(`api/dashboards/images/captions?${query}`)).captions;
}
