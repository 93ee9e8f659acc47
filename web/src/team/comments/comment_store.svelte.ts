/** The comments of a project, read again when the server announces others. */

import { Resource } from "../../data/resource.svelte";
import { CommentRequests, type Comment, type CommentList, type CommentTarget } from "./comments";
import type { ProjectPath } from "../routes";

const NONE: readonly Comment[] = [];

export class CommentStore {
  readonly requests: CommentRequests;
  /** What the form writes about, after a choice in a chart; null: what its place says. */
  target = $state.raw<CommentTarget | null>(null);
  readonly #list: Resource<number, CommentList>;
  #readings = 0;

  constructor(project: ProjectPath) {
    this.requests = new CommentRequests(project);
    this.#list = new Resource<number, CommentList>((_, signal) => this.requests.list(signal), { keyOf: () => "" });
  }

  get all(): readonly Comment[] {
    return this.#list.value?.comments ?? NONE;
  }

  get isLoaded(): boolean {
    return this.#list.value !== null;
  }

  get error(): string {
    return this.#list.error;
  }

  load(): void {
    this.#readings += 1;
    this.#list.load(this.#readings, this.#readings);
  }

  /** Reads them unless they have this version. */
  loadVersion(version: string): void {
    if (this.#list.value?.version !== version) this.load();
  }
}
