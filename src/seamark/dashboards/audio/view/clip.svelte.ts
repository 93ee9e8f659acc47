/** The clips of one run and tag: the chosen one, what is known about it, its samples, and the sound itself. */

import { PayloadSource } from "$public/boards";
import { mediaFiles, Resource, type DashboardContext, type PayloadList, sortedLists } from "$public/core";
import { clipAddress, decode, fetchFacts, type Facts } from "./model";

export interface ClipRequest {
  readonly tag: string;
  readonly run: string;
  /** Undefined is the newest. */
  readonly step: number | undefined;
  readonly sample: number;
}

/** Created with its card, and closed with it. */
export class Clip {
  readonly source = new PayloadSource();
  readonly #facts = new Resource<{ list: PayloadList; at: number }, readonly Facts[]>(
    ({ list, at }) => fetchFacts(list, at),
    { keyOf: ({ list, at }) => JSON.stringify([list.run, list.tag, list.index[at], list.walls[at]]), abortAfterMs: 0 },
  );
  readonly #samples = new Resource<{ address: string; facts: Facts }, AudioBuffer>(
    ({ address, facts }, signal) => decode(address, facts, signal),
    { keyOf: ({ address }) => address, abortAfterMs: 0 },
  );
  #audio: HTMLAudioElement | undefined;
  #playable: { readonly address: string; readonly source: string } | undefined;

  /** Nothing is loaded while `request` returns null. */
  constructor(
    private readonly context: DashboardContext,
    private readonly request: () => ClipRequest | null,
  ) {
    $effect(() => this.#list());
    $effect(() => this.#describe());
    $effect(() => this.#decode());
    $effect(() => this.#prepare());
    $effect(() => () => this.#close());
  }

  readonly sample = $derived.by(() => this.request()?.sample ?? 0);
  readonly steps = $derived.by(() => this.source.steps);
  readonly at = $derived.by(() => {
    const step = this.request()?.step;
    return step === undefined ? this.source.newest : sortedLists.atOrBefore(this.steps, step);
  });
  readonly all = $derived.by(() => this.#facts.value);
  readonly facts = $derived.by((): Facts | null => this.all?.[Math.min(this.sample, this.all.length - 1)] ?? null);
  readonly #chosen = $derived.by(() => Math.min(this.sample, (this.all?.length ?? 1) - 1));
  readonly address = $derived.by(() =>
    this.source.value && this.at >= 0 ? clipAddress(this.source.value, this.at, Math.max(0, this.#chosen)) : null,
  );
  readonly seconds = $derived.by(() => this.buffer?.duration ?? this.facts?.seconds ?? 0);

  /** The samples to draw. */
  readonly buffer = $derived.by(() => (this.#samples.failure ? null : this.#samples.value));
  /** About the chosen clip, from the server or the browser. */
  readonly error = $derived.by(() => this.#facts.error || (this.all?.length === 0 ? "this step has no clips" : ""));
  /** Why the clip is not drawn. */
  readonly drawing = $derived.by(() => this.#samples.error);

  #list(): void {
    const request = this.request();
    if (!request) return;
    const { run, tag } = request;
    this.source.load(
      { run, tag, kind: "audio", attempts: this.context.settings.attempts },
      this.context.revisionOf("audio", tag),
    );
  }

  /** Loads what the server knows about the clips of the step. */
  #describe(): void {
    const { value: list } = this.source;
    if (list && this.at >= 0) this.#facts.load({ list, at: this.at });
  }

  /** Loads the samples, for the pictures. */
  #decode(): void {
    const { address, facts } = this;
    if (address && facts && !facts.problem) this.#samples.load({ address, facts });
  }

  /** A published site has the sound in its files: it has to be there when somebody plays it. */
  #prepare(): void {
    const { address } = this;
    if (!address) return;
    mediaFiles.address(address).then(
      (source) => (this.#playable = { address, source }),
      () => undefined, // the drawing says why
    );
  }

  /** The element that plays it, created on first use. */
  get audio(): HTMLAudioElement {
    this.#audio ??= new Audio();
    const loaded = this.#playable?.address === this.address ? this.#playable?.source : this.address;
    const address = new URL(loaded ?? "", document.baseURI).href;
    if (this.address && this.#audio.src !== address) this.#audio.src = address;
    return this.#audio;
  }

  silence(): void {
    this.#audio?.pause();
  }

  #close(): void {
    this.source.close();
    this.#facts.close();
    this.#samples.close();
    this.#audio?.pause();
    this.#audio?.removeAttribute("src");
    this.#audio = undefined;
  }
}
