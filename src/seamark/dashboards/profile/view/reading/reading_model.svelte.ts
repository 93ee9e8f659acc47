/** ReadingModel: how far the server has read a trace. The first request starts the reading; then it is polled. */

import { Resource } from "$public/core";
import { isSameProfile } from "../profile_ref";
import type { ProfileRef, ReadingState } from "../wire";

export interface ReadingHost {
  ref(): ProfileRef | null;
  state(ref: ProfileRef, signal: AbortSignal): Promise<ReadingState>;
}

const POLL_MS = 400;

/** Made while a component is: its effects end with that. */
export class ReadingModel {
  readonly #state: Resource<ProfileRef, ReadingState>;
  #round = $state(0);

  constructor(private readonly host: ReadingHost) {
    this.#state = new Resource((ref, signal) => host.state(ref, signal));
    $effect(() => {
      const ref = host.ref();
      if (ref) this.#state.load(ref, this.#round);
    });
    $effect(() => {
      // Every response is another object, and starts the next wait.
      if (this.state?.state !== "reading") return;
      const timer = setTimeout(() => (this.#round += 1), POLL_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => () => this.#state.close());
  }

  /** Of the profile that is shown; null before the first response. */
  readonly state = $derived.by((): ReadingState | null => {
    const { loaded } = this.#state;
    const ref = this.host.ref();
    return loaded && ref && isSameProfile(loaded.request, ref) ? loaded.value : null;
  });

  readonly isReady = $derived.by(() => this.state?.state === "ready");
  /** Why it cannot be read; "" while it can. */
  readonly problem = $derived.by(() => (this.state?.state === "failed" ? this.state.problem : this.#state.error));

  retry(): void {
    this.#round += 1;
  }
}
