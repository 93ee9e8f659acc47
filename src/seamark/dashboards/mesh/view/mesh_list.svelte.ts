/** All meshes and 3-D files of the runs. */

import { LatestOnly, messageOf, type DashboardContext } from "$public/core";
import { fetchFiles, fetchMeshes } from "./load";
import { tagsOf, type MeshTag } from "./model";

const PAUSE_MS = 500;

/** Created with the page: it reads the lists again when something was logged. */
export class MeshList {
  tags = $state.raw<readonly MeshTag[]>([]);
  /** There are more files than the server lists. */
  hasMore = $state(false);
  isKnown = $state(false);
  error = $state("");
  readonly #reading = new LatestOnly<void>(() => this.#read(), PAUSE_MS);

  constructor(context: DashboardContext) {
    $effect(() => {
      for (const { tag } of context.catalogue.tags("mesh")) void context.revisionOf("mesh", tag);
      void context.catalogue.runs.length;
      this.#reading.run();
    });
  }

  retry(): void {
    this.#reading.run();
  }

  async #read(): Promise<void> {
    try {
      const [meshes, { files, more }] = await Promise.all([fetchMeshes(), fetchFiles()]);
      this.tags = tagsOf(meshes, files);
      this.hasMore = more;
      this.error = "";
    } catch (reason) {
      this.error = messageOf(reason);
    }
    this.isKnown = true;
  }
}
