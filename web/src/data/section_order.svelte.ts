/** The order of sections that a person chose, saved on the server for this log directory. */

import { messageOf } from "../base/errors";
import { applyOrder, mergeOrder, moveKey, type Move } from "../base/section_order";
import { loadState, patchState } from "./saved_state";

/** Time series and Scalars share one order, so it is saved under one name. */
const NAME = "scalars";

export class SectionOrder {
  #saved = $state.raw<readonly string[]>([]);
  error = $state("");

  get isChanged(): boolean {
    return this.#saved.length > 0;
  }

  /** On failure the usual order stays; the page reports elsewhere that the server is gone. */
  async load(): Promise<void> {
    const saved = parseOrder(await loadState(NAME).catch(() => undefined));
    // An empty list, which another one replaces, would have all sections put together again.
    if (saved.length > 0 && !this.isChanged) this.#saved = saved;
  }

  apply<T>(sections: readonly T[], keyOf: (section: T) => string): readonly T[] {
    return applyOrder(sections, keyOf, this.#saved);
  }

  /** `keys`: all sections in the usual order; `onScreen`: those that are shown, in the order of the screen. */
  move(keys: readonly string[], onScreen: readonly string[], key: string, move: Move): void {
    this.#save(moveKey(mergeOrder(keys, this.#saved), onScreen, key, move));
  }

  reset(): void {
    this.#save([]);
  }

  #save(order: readonly string[]): void {
    this.#saved = order;
    this.error = "";
    patchState(NAME, { sections: order.length > 0 ? order : null }).catch((failure: unknown) => {
      this.error = `The order of sections is not saved: ${messageOf(failure)}`;
    });
  }
}

function parseOrder(state: unknown): readonly string[] {
  const sections = typeof state === "object" && state !== null && "sections" in state ? state.sections : [];
  return Array.isArray(sections) ? sections.filter((key) => typeof key === "string") : [];
}
