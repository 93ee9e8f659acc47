/** PairModel: two panes side by side: whether their rows are the same, and how many neighbours each row shares. */

import { format, Resource, type DashboardContext } from "$public/core";
import { COLOUR_BY_SHARED } from "../inspector/computed_colours";
import type { ProjectorRequests } from "../load";
import type { EmbeddingEntry, EmbeddingInfo, EmbeddingRef, Method, Preparation, SharedNeighbours } from "../wire";
import { leastShared, otherPane } from "./default_pane";

interface SharedRequest {
  readonly a: EmbeddingRef;
  readonly b: EmbeddingRef;
}

/** The parts of a PaneModel that it takes. */
interface PairedPane {
  readonly entry: EmbeddingEntry | null;
  readonly ref: EmbeddingRef | null;
  readonly info: EmbeddingInfo | null;
  readonly method: Method;
  readonly preparation: Preparation;
  show(ref: EmbeddingRef, options?: { readonly keepsRows?: boolean; readonly push?: boolean }): void;
  setMethod(change: Partial<Method>): void;
  setPreparation(change: Partial<Preparation>): void;
}

/** The parts of a ProjectorModel that it takes. */
interface PairedModel {
  readonly context: DashboardContext;
  readonly requests: ProjectorRequests;
  readonly entries: readonly EmbeddingEntry[];
  readonly isPair: boolean;
  readonly a: PairedPane;
  readonly b: PairedPane;
  readonly colourBy: string;
  set(name: "colour", value: string | undefined): void;
}

const LISTED_ROWS = 50;

export class PairModel {
  readonly #shared: Resource<SharedRequest, SharedNeighbours>;

  constructor(private readonly model: PairedModel) {
    this.#shared = new Resource(({ a, b }, signal) => model.requests.shared(a, b, signal));
    $effect(() => {
      if (this.#request) this.#shared.load(this.#request);
    });
  }

  /** Whether row numbers mean the same in both panes. */
  readonly isLinked = $derived.by(() => {
    const { isPair, a, b } = this.model;
    return isPair && a.info !== null && a.info.rows === b.info?.rows;
  });
  /** Why there is nothing to compare; "" if there is, or not yet. */
  readonly problem = $derived.by(() => {
    const { isPair, a, b } = this.model;
    if (!isPair || !a.info || !b.info) return "";
    if (a.info.rows !== b.info.rows)
      return `Rows cannot be linked: A has ${format.count(a.info.rows)}, B has ${format.count(b.info.rows)}.`;
    return a.ref && b.ref && isSame(a.ref, b.ref) ? "Both show the same vectors." : "";
  });
  readonly #request = $derived.by((): SharedRequest | null => {
    const { a, b } = this.model;
    return this.isLinked && this.problem === "" && a.ref && b.ref ? { a: a.ref, b: b.ref } : null;
  });
  readonly shared = $derived.by((): SharedNeighbours | null => {
    const { loaded } = this.#shared;
    const request = this.#request;
    const isWanted = loaded && request && isSame(loaded.request.a, request.a) && isSame(loaded.request.b, request.b);
    return isWanted ? loaded.value : null;
  });
  readonly error = $derived.by(() => (this.#request ? this.#shared.error : ""));
  readonly least = $derived.by(() => (this.shared ? leastShared(this.shared.shared, LISTED_ROWS) : []));

  readonly isColoured = $derived.by(() => this.model.colourBy === COLOUR_BY_SHARED);

  setColoured(isColoured: boolean): void {
    this.model.set("colour", isColoured ? COLOUR_BY_SHARED : undefined);
  }

  /** Lets pane B show something else than pane A, unless the address says what. */
  chooseOther(): void {
    const { a, b, entries, context } = this.model;
    if (context.url.get("b_name") !== undefined || !a.entry || !a.ref) return;
    const { ref, method } = otherPane(entries, a.entry, a.ref, { method: a.method.method, shown: context.runs.shown });
    b.show(ref, { push: false });
    b.setMethod({ ...a.method, ...(method && { method }) });
    b.setPreparation(a.preparation);
  }

  swap(): void {
    const { a, b } = this.model;
    const keepsRows = this.isLinked;
    const [first, second] = [a, b].map(({ ref, method, preparation }) => ({ ref, method, preparation }));
    for (const [pane, state] of [
      [a, second!],
      [b, first!],
    ] as const) {
      if (state.ref) pane.show(state.ref, { keepsRows });
      pane.setMethod(state.method);
      pane.setPreparation(state.preparation);
    }
  }
}

const isSame = (a: EmbeddingRef, b: EmbeddingRef): boolean => a.run === b.run && a.name === b.name;
