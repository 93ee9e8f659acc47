/** One run's clips under a tag: which is chosen, what is known of it, its samples, and the sound itself. */

import { PayloadSource } from "$public/boards";
import { payloadAttempts } from "$public/charts";
import { atOrBefore, Resource, type DashboardContext, type PayloadList } from "$public/core";
import { clipAddress, decode, fetchFacts, type Facts } from "./model";

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
  /** The chosen step and sample; a missing step is the newest. */
  step = $state<number | undefined>(undefined);
  sample = $state(0);
  #audio: HTMLAudioElement | undefined;

  constructor(
    private readonly context: DashboardContext,
    private readonly tag: () => string,
    private readonly run: () => string,
  ) {}

  readonly steps = $derived.by((): readonly number[] => this.source.value?.steps ?? []);
  readonly at = $derived.by(() =>
    this.step === undefined ? this.steps.length - 1 : atOrBefore(this.steps, this.step),
  );
  readonly all = $derived.by(() => this.#facts.value);
  readonly facts = $derived.by((): Facts | null => this.all?.[Math.min(this.sample, this.all.length - 1)] ?? null);
  readonly #chosen = $derived.by(() => Math.min(this.sample, (this.all?.length ?? 1) - 1));
  readonly address = $derived.by(() =>
    this.source.value && this.at >= 0 ? clipAddress(this.source.value, this.at, Math.max(0, this.#chosen)) : null,
  );
  readonly seconds = $derived.by(() => this.buffer?.duration ?? this.facts?.seconds ?? 0);

  list(): void {
    this.source.load(
      { run: this.run(), tag: this.tag(), kind: "audio", attempts: payloadAttempts(this.context.settings.attempts) },
      this.context.revisionOf("audio", this.tag()),
    );
  }

  /** The samples to draw. */
  readonly buffer = $derived.by(() => (this.#samples.failure ? null : this.#samples.value));
  /** About the chosen clip, from the server or the browser. */
  readonly error = $derived.by(() => this.#facts.error || (this.all?.length === 0 ? "this step has no clips" : ""));
  /** Why the clip is not drawn. */
  readonly drawing = $derived.by(() => this.#samples.error);

  /** What the server says about the clips of the step. Run inside an effect. */
  describe(): void {
    const { value: list } = this.source;
    if (list && this.at >= 0) this.#facts.load({ list, at: this.at });
  }

  /** Run inside an effect. */
  draw(): void {
    const { address, facts } = this;
    if (address && facts && !facts.problem) this.#samples.load({ address, facts });
  }

  /** The element that plays it, made when it is first wanted. */
  get audio(): HTMLAudioElement {
    this.#audio ??= new Audio();
    const address = new URL(this.address ?? "", document.baseURI).href;
    if (this.address && this.#audio.src !== address) this.#audio.src = address;
    return this.#audio;
  }

  silence(): void {
    this.#audio?.pause();
  }

  close(): void {
    this.source.close();
    this.#facts.close();
    this.#samples.close();
    this.#audio?.pause();
    this.#audio?.removeAttribute("src");
    this.#audio = undefined;
  }
}
