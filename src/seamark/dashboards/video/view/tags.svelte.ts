/** Which tags are videos: the server has a look at their first bytes. */

import { requestJson, LatestOnly, messageOf, type DashboardContext, type TagEntry } from "$public/core";

const PAUSE_MS = 500;

export class VideoTags {
  entries = $state.raw<readonly TagEntry[]>([]);
  error = $state("");
  /** An answer came: what is not in it is not there. */
  isKnown = $state(false);
  readonly #reading = new LatestOnly<void>(() => this.#read(), PAUSE_MS);

  constructor(context: DashboardContext) {
    $effect(() => {
      // Whenever the list of images is another one.
      void context.catalogue.tags("images");
      this.#reading.run();
    });
  }

  retry(): void {
    this.#reading.run();
  }

  async #read(): Promise<void> {
    try {
      this.entries = (await requestJson<{ tags: TagEntry[] }>("api/dashboards/video/tags")).tags;
      this.error = "";
      this.isKnown = true;
    } catch (error) {
      this.error = messageOf(error);
    }
  }
}
