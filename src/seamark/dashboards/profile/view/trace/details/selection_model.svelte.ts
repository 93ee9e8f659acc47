/** SelectionModel: the selected slice with its details and arrows, and the slices that a finding marks. */

import { Resource } from "$public/core";
import type { Flows, ProfileRef, SliceDetails } from "../../wire";
import { parseNs, parseNumbers } from "../address";
import { ofShownProfile, type TraceHost } from "../host";

/** More are not drawn one by one: the window of a finding shows them anyway. */
const MAX_MARKED = 40;

interface SliceRequest {
  readonly ref: ProfileRef;
  readonly slice: number;
}

export class SelectionModel {
  readonly #details: Resource<SliceRequest, SliceDetails>;
  readonly #flows: Resource<SliceRequest, Flows>;
  readonly #marked: Resource<{ readonly ref: ProfileRef; readonly slices: readonly number[] }, readonly SliceDetails[]>;

  constructor(private readonly host: TraceHost) {
    const { requests } = host;
    this.#details = new Resource(({ ref, slice }, signal) => requests.slice(ref, slice, signal));
    this.#flows = new Resource(({ ref, slice }, signal) => requests.flows(ref, slice, signal));
    this.#marked = new Resource(({ ref, slices }, signal) =>
      Promise.all(slices.map((slice) => requests.slice(ref, slice, signal))),
    );
    $effect(() => {
      const { ref } = this.host;
      if (!ref || this.slice === null) return;
      this.#details.load({ ref, slice: this.slice });
      this.#flows.load({ ref, slice: this.slice });
    });
    $effect(() => {
      const { ref } = this.host;
      if (ref && this.markedSlices.length > 0) this.#marked.load({ ref, slices: this.markedSlices.slice(0, MAX_MARKED) }); // prettier-ignore
    });
  }

  readonly slice = $derived.by((): number | null => {
    const slice = parseNs(this.host.context.url.get("slice"));
    return slice !== null && slice >= 0 ? slice : null;
  });
  /** Null until it is there. */
  readonly details = $derived.by((): SliceDetails | null => {
    const value = ofShownProfile(this.host, this.#details.loaded);
    return this.slice !== null && value?.slice === this.slice ? value : null;
  });
  readonly error = $derived.by(() => (this.slice === null ? "" : this.#details.error));
  readonly flows = $derived.by((): Flows | null =>
    this.#flows.loaded?.request.slice === this.slice ? ofShownProfile(this.host, this.#flows.loaded) : null,
  );

  readonly markedSlices = $derived.by(() => parseNumbers(this.host.context.url.get("marked")));
  readonly marked = $derived.by((): readonly SliceDetails[] =>
    this.markedSlices.length > 0 ? (ofShownProfile(this.host, this.#marked.loaded) ?? []) : [],
  );

  set(slice: number | null): void {
    this.host.context.url.set("slice", slice === null ? undefined : String(slice));
  }

  clearMarked(): void {
    this.host.context.url.set("marked", undefined);
  }

  retry(): void {
    this.#details.retry();
  }
}
