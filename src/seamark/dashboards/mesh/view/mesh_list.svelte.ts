/** All meshes and 3-D files of the runs. */

import { Resource, type DashboardContext } from "$public/core";
import { fetchFiles, fetchMeshes } from "./load";
import { tagsOf, type MeshTag } from "./model";

const PAUSE_MS = 500;

interface Lists {
  readonly tags: readonly MeshTag[];
  /** There are more files than the server lists. */
  readonly hasMore: boolean;
}

/** Created with the page: it loads the lists again when something was logged. */
export class MeshList {
  readonly #lists = new Resource<null, Lists>(
    async () => {
      const [meshes, { files, more }] = await Promise.all([fetchMeshes(), fetchFiles()]);
      return { tags: tagsOf(meshes, files), hasMore: more };
    },
    { pauseMs: PAUSE_MS },
  );

  constructor(context: DashboardContext) {
    let revision = 0;
    $effect(() => {
      for (const { tag } of context.catalogue.tags("mesh")) void context.revisionOf("mesh", tag);
      void context.catalogue.runs.length;
      revision += 1;
      this.#lists.load(null, revision);
    });
  }

  readonly tags = $derived.by(() => this.#lists.value?.tags ?? []);
  readonly isKnown = $derived.by(() => this.#lists.value !== null || this.error !== "");

  get hasMore(): boolean {
    return this.#lists.value?.hasMore ?? false;
  }

  get error(): string {
    return this.#lists.error;
  }

  retry(): void {
    this.#lists.retry();
  }
}
