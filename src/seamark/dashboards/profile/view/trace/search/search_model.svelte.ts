/** SearchModel: the slices whose name contains a text. The text is in the address. */

import { Resource } from "$public/core";
import type { Matches, ProfileRef } from "../../wire";
import { ofShownProfile, type TraceHost } from "../host";
import { matchText, positionOf } from "./matches";

/** A slice that the search goes to. */
type Go = (slice: number) => void;

export class SearchModel {
  readonly #matches: Resource<{ readonly ref: ProfileRef; readonly text: string }, Matches>;
  #isWaitingForLongest = $state(false);

  constructor(
    private readonly host: TraceHost,
    private readonly selected: () => number | null,
    private readonly go: Go,
  ) {
    this.#matches = new Resource(({ ref, text }, signal) => host.requests.search(ref, text, false, signal));
    $effect(() => {
      const { ref } = this.host;
      if (ref && this.text !== "") this.#matches.load({ ref, text: this.text });
    });
    $effect(() => {
      if (!this.#isWaitingForLongest || !this.matches) return;
      this.#isWaitingForLongest = false;
      this.goToLongest();
    });
  }

  readonly text = $derived.by(() => this.host.context.url.get("find") ?? "");
  /** Null until they are there. */
  readonly matches = $derived.by((): Matches | null =>
    this.text !== "" && this.#matches.loaded?.request.text === this.text
      ? ofShownProfile(this.host, this.#matches.loaded)
      : null,
  );
  readonly position = $derived.by(() => (this.matches ? positionOf(this.matches, this.selected()) : -1));
  readonly note = $derived.by(() => matchText(this.matches, this.position));
  readonly error = $derived.by(() => (this.text === "" ? "" : this.#matches.error));

  set(text: string): void {
    this.host.context.url.set("find", text === "" ? undefined : text);
  }

  /** Goes to the longest slice with this name, when the matches are there. */
  findLongest(text: string): void {
    this.set(text);
    this.#isWaitingForLongest = true;
  }

  goToLongest(): void {
    const longest = this.matches?.longest ?? -1;
    if (longest >= 0) this.go(longest);
  }
}
