/** FindModel: what a person searches for, the rows that match, and the list of the first ones. */

import { Resource, type DashboardContext } from "$public/core";
import type { ProjectorRequests } from "../load";
import type { EmbeddingInfo, EmbeddingRef } from "../wire";
import { parseFind, regexError, type FindRequest } from "./find";

/** The list shows this many; all of them are highlighted. */
export const MAX_LISTED = 100;

interface LabelsRequest {
  readonly ref: EmbeddingRef;
  readonly rows: readonly number[];
  readonly column: string;
}

/** What the search needs of the page. */
export interface FindHost {
  readonly context: DashboardContext;
  readonly requests: ProjectorRequests;
  readonly a: {
    readonly ref: EmbeddingRef | null;
    readonly info: EmbeddingInfo | null;
    readonly labelColumnName: string;
  };
  select(rows: Uint32Array, by: string): void;
  inspect(row: number): void;
}

export class FindModel {
  readonly #matches: Resource<{ readonly ref: EmbeddingRef; readonly find: FindRequest }, Uint32Array>;
  readonly #labels: Resource<LabelsRequest, readonly string[]>;
  /** The entry of the list that Enter inspects. */
  active = $state(0);

  constructor(private readonly model: FindHost) {
    const { requests } = model;
    this.#matches = new Resource(({ ref, find }, signal) => requests.search(ref, find, signal));
    this.#labels = new Resource(async ({ ref, rows, column }, signal) => {
      const { values } = await requests.texts(ref, rows, [column], signal);
      return values.map(([text]) => text ?? "");
    });
    $effect(() => {
      const { request } = this;
      if (model.a.ref && request && this.#regexError === "") this.#matches.load({ ref: model.a.ref, find: request });
    });
    $effect(() => {
      const column = model.a.labelColumnName;
      if (model.a.ref && column && this.listed.length > 0)
        this.#labels.load({ ref: model.a.ref, rows: this.listed, column });
    });
  }

  readonly text = $derived.by(() => this.model.context.url.get("find") ?? "");
  readonly request = $derived.by(() => parseFind(this.text, this.model.a.info?.columns.map(({ name }) => name) ?? []));
  readonly #regexError = $derived.by(() => (this.request ? regexError(this.request) : ""));
  readonly error = $derived.by(() => this.#regexError || (this.request ? this.#matches.error : ""));
  /** Null while nothing is searched for. The last matches stay while the next ones are requested. */
  readonly rows = $derived.by((): Uint32Array | null => {
    const { loaded } = this.#matches;
    const { ref } = this.model.a;
    const isOfEmbedding = loaded?.request.ref.name === ref?.name && loaded?.request.ref.run === ref?.run;
    return this.request && isOfEmbedding && this.error === "" ? (loaded?.value ?? null) : null;
  });
  /** The rows still match the previous search: they are shown, but cannot be selected or inspected. */
  readonly isStale = $derived.by((): boolean => {
    const { ref } = this.model.a;
    const matches = ref && this.request ? this.#matches.valueFor({ ref, find: this.request }) : null;
    return this.rows !== null && this.rows !== matches;
  });
  readonly listed = $derived.by((): readonly number[] => [...(this.rows?.subarray(0, MAX_LISTED) ?? [])]);
  /** Of the listed rows; "" until it is loaded. */
  labelOf(row: number): string {
    const { loaded } = this.#labels;
    return loaded?.value[loaded.request.rows.indexOf(row)] ?? "";
  }

  set(text: string): void {
    this.model.context.url.set("find", text || undefined);
    this.active = 0;
  }

  /** Moves in the list, around its ends. */
  move(by: number): void {
    const count = this.listed.length;
    if (count > 0 && !this.isStale) this.active = (this.active + by + count) % count;
  }

  pick(index: number): void {
    const row = this.listed[index];
    if (row !== undefined && !this.isStale) this.model.inspect(row);
  }

  selectAll(): void {
    if (this.rows && !this.isStale) this.model.select(this.rows, "found");
  }
}
