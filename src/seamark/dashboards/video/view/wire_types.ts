// What the server sends and takes: written by tools/page_types.py from the server's structs.

/** @description A tag and the runs in which it is a video. */
export interface VideoTag {
  readonly tag: string;
  readonly runs: readonly string[];
}
export interface VideoTagsResponse {
  readonly tags: readonly VideoTag[];
}
