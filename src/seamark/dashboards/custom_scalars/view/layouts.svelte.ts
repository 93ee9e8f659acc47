/** The layouts there are: the one of the logs, and those that people made, which the server saves. */

import { messageOf, requestJson, type SavedState, tagNames } from "$public/core";
import { layoutJson, parseLayout, type Layout } from "./model";
import type { LayoutProblem, LayoutResponse } from "./wire_types";

const API = "api/dashboards/custom_scalars";

export class Layouts {
  /** Null until the first answer. */
  logged = $state.raw<Layout | null>(null);
  problems = $state.raw<readonly LayoutProblem[]>([]);
  saved = $state.raw<ReadonlyMap<string, Layout> | null>(null);
  /** Why something could not be read or saved. */
  error = $state("");
  isSaving = $state(false);
  readonly names = $derived([...(this.saved?.keys() ?? [])].sort(tagNames.compare));
  readonly isReady = $derived(this.logged !== null && this.saved !== null);
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** `state`: where layouts are saved. */
  constructor(private readonly state: SavedState) {}

  async readLogged(): Promise<void> {
    await this.#try(async () => {
      const response = await requestJson<LayoutResponse>(`${API}/layout`);
      this.logged = parseLayout(response);
      this.problems = response.problems;
    });
  }

  async readSaved(): Promise<void> {
    if (this.#waiting > 0) return; // what is being saved is newer
    await this.#try(async () => {
      const saved = await this.state.load();
      if (this.#waiting === 0) this.saved = layoutsIn(saved);
    });
  }

  save(name: string, layout: Layout): void {
    this.#change({ [name]: layoutJson(layout) }, [...this.#others(name), [name, layout]]);
  }

  rename(from: string, to: string): void {
    const layout = this.saved?.get(from);
    if (layout && from !== to)
      this.#change({ [from]: null, [to]: layoutJson(layout) }, [...this.#others(from), [to, layout]]);
  }

  remove(name: string): void {
    this.#change({ [name]: null }, this.#others(name));
  }

  #others(name: string): [string, Layout][] {
    return [...(this.saved ?? [])].filter(([other]) => other !== name);
  }

  /** Shown at once, saved one after the other. */
  #change(change: Readonly<Record<string, unknown>>, shown: Iterable<readonly [string, Layout]>): void {
    this.saved = new Map(shown);
    this.#waiting += 1;
    this.isSaving = true;
    this.#last = this.#last.then(() => this.#patch(change));
  }

  async #patch(change: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#try(async () => {
      await this.state.patch({ layouts: change });
    }, "Not saved: ");
    this.#waiting -= 1;
    this.isSaving = this.#waiting > 0;
  }

  async #try(act: () => Promise<void>, before = ""): Promise<void> {
    try {
      await act();
      this.error = "";
    } catch (failure) {
      this.error = before + messageOf(failure);
    }
  }
}

/** What another version of the page saved in another form is left out. */
export function layoutsIn(saved: unknown): ReadonlyMap<string, Layout> {
  const layouts = typeof saved === "object" && saved !== null && "layouts" in saved ? saved.layouts : null;
  if (typeof layouts !== "object" || layouts === null) return new Map();
  return new Map(
    Object.entries(layouts).flatMap(([name, given]) => {
      try {
        return [[name, parseLayout(given)] as const];
      } catch {
        return [];
      }
    }),
  );
}
