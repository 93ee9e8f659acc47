/** Which tags are videos: the server reads their first bytes. */

import { requestJson, Resource, type DashboardContext, type TagEntry } from "$public/core";
import type { VideoTagsResponse } from "./wire_types";

const PAUSE_MS = 500;

export class VideoTags {
  readonly #tags = new Resource<null, readonly TagEntry[]>(
    async (_, signal) => (await requestJson<VideoTagsResponse>("api/dashboards/video/tags", { signal })).tags,
    { pauseMs: PAUSE_MS },
  );

  constructor(context: DashboardContext) {
    let revision = 0;
    $effect(() => {
      // Whenever the list of images is another one.
      void context.catalogue.tags("images");
      revision += 1;
      this.#tags.load(null, revision);
    });
  }

  readonly entries = $derived.by(() => this.#tags.value ?? []);
  /** The server has responded: what is not listed does not exist. */
  readonly isKnown = $derived.by(() => this.#tags.value !== null);

  get error(): string {
    return this.#tags.error;
  }

  retry(): void {
    this.#tags.retry();
  }
}
