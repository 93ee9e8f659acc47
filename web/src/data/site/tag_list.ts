/** The answer of /api/tags. */

import { getKey } from "./request_key";
import type { SiteFiles } from "./files/site_files";

export interface TagList {
  readonly runs: readonly string[];
  readonly kinds: Readonly<Record<string, readonly { readonly tag: string; readonly runs: readonly number[] }[]>>;
}

export async function readTags(files: SiteFiles): Promise<TagList> {
  return (await files.json<TagList>(getKey("api/tags"))) ?? { runs: [], kinds: {} };
}

/** The runs that have a tag of a kind, in the server's order. */
export function runsWith({ runs, kinds }: TagList, kind: string, tag: string): string[] {
  return kinds[kind]?.find((entry) => entry.tag === tag)?.runs.map((index) => runs[index]!) ?? [];
}
