/** CompareModel: the other profile, which is in the address, and the comparison with it. */

import { Resource } from "$public/core";
import type { ProfileRequests } from "../load";
import { isSameProfile } from "../profile_ref";
import { ReadingModel } from "../reading/reading_model.svelte";
import type { CaptureEntry, Comparison, ProfileRef } from "../wire";
import { defaultOther, sameHost, type Choice } from "./comparison";

export interface CompareHost {
  ref(): ProfileRef | null;
  choice(): Choice | null;
  captures(): readonly CaptureEntry[];
  readonly requests: ProfileRequests;
  readonly url: { get(name: string): string | undefined; set(name: string, value: string | undefined): void };
  show(capture: CaptureEntry, host: string): void;
}

interface Pair {
  readonly a: ProfileRef;
  readonly b: ProfileRef;
}

/** Made while a component is: its effects end with that. */
export class CompareModel {
  readonly reading: ReadingModel;
  readonly #comparison: Resource<Pair, Comparison>;

  constructor(private readonly host: CompareHost) {
    const { requests } = host;
    this.#comparison = new Resource(({ a, b }, signal) => requests.compare(a, b, signal));
    this.reading = new ReadingModel({ ref: () => this.otherRef, state: (ref, signal) => requests.state(ref, signal) });
    $effect(() => {
      const a = host.ref();
      if (a && this.otherRef && this.reading.isReady) this.#comparison.load({ a, b: this.otherRef });
    });
    $effect(() => () => this.#comparison.close());
  }

  /** Null if there is no other profile. */
  readonly other = $derived.by((): Choice | null => {
    const { url } = this.host;
    const [run, name, host] = [url.get("other_run"), url.get("other_capture"), url.get("other_host")];
    const capture = this.host
      .captures()
      .find((entry) => entry.run === run && (name === undefined || entry.name === name));
    if (capture) return { capture, host: sameHost(capture, host ?? "") };
    const own = this.host.choice();
    return own && defaultOther(this.host.captures(), own);
  });

  readonly otherRef = $derived.by((): ProfileRef | null => {
    const { other } = this;
    return other && { run: other.capture.run, capture: other.capture.name, host: other.host, steps: "" };
  });

  choose(capture: CaptureEntry, host: string): void {
    const { url } = this.host;
    url.set("other_run", capture.run);
    url.set("other_capture", capture.name);
    url.set("other_host", sameHost(capture, host) || undefined);
  }

  swap(): void {
    const [own, other] = [this.host.choice(), this.other];
    if (!own || !other) return;
    this.choose(own.capture, own.host);
    this.host.show(other.capture, other.host);
  }

  readonly comparison = $derived.by((): Comparison | null => {
    const { loaded } = this.#comparison;
    const [a, b] = [this.host.ref(), this.otherRef];
    if (!loaded || !a || !b) return null;
    return isSameProfile(loaded.request.a, a) && isSameProfile(loaded.request.b, b) ? loaded.value : null;
  });

  /** Of the rows as CSV; "" while nothing is compared. */
  csvAddress(table: "operators" | "kernels"): string {
    const [a, b] = [this.host.ref(), this.otherRef];
    return a && b ? this.host.requests.comparedTableAddress(a, b, table) : "";
  }

  readonly problem = $derived.by(() => this.reading.problem || this.#comparison.error);

  retry(): void {
    this.reading.retry();
    this.#comparison.retry();
  }
}
