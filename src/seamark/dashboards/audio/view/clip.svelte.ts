/** One run's clips under a tag: which is chosen, what is known of it, its samples, and the sound itself. */

import { PayloadSource } from "$public/boards";
import { payloadAttempts } from "$public/charts";
import { atOrBefore, messageOf, type DashboardContext } from "$public/core";
import { clipAddress, decode, fetchFacts, type Facts } from "./model";

/** Larger clips are played but not drawn: their samples would fill the page's memory. */
const DRAWN_BYTES = 48 << 20;

export class Clip {
  readonly source = new PayloadSource();
  /** The step and sample that are wished for; a missing step is the newest. */
  step = $state<number | undefined>(undefined);
  sample = $state(0);
  all = $state.raw<readonly Facts[] | null>(null);
  buffer = $state.raw<AudioBuffer | null>(null);
  /** Of the server or the browser, about the clip that is chosen. */
  error = $state("");
  drawing = $state("");
  #turn = 0;
  #audio: HTMLAudioElement | undefined;

  constructor(
    private readonly context: DashboardContext,
    private readonly tag: () => string,
    private readonly run: () => string,
  ) {}

  readonly steps = $derived.by((): readonly number[] => this.source.list?.steps ?? []);
  readonly at = $derived.by(() =>
    this.step === undefined ? this.steps.length - 1 : atOrBefore(this.steps, this.step),
  );
  readonly facts = $derived.by((): Facts | null => this.all?.[Math.min(this.sample, this.all.length - 1)] ?? null);
  readonly #chosen = $derived.by(() => Math.min(this.sample, (this.all?.length ?? 1) - 1));
  readonly address = $derived.by(() =>
    this.source.list && this.at >= 0 ? clipAddress(this.source.list, this.at, Math.max(0, this.#chosen)) : null,
  );
  readonly seconds = $derived.by(() => this.buffer?.duration ?? this.facts?.seconds ?? 0);

  list(): void {
    this.source.ask(
      { run: this.run(), tag: this.tag(), kind: "audio", attempts: payloadAttempts(this.context.settings.attempts) },
      this.context.revisionOf("audio", this.tag()),
    );
  }

  /** What is said about the clips of the step. Run inside an effect. */
  describe(): void {
    const { list } = this.source;
    if (!list || this.at < 0) return;
    const turn = ++this.#turn;
    fetchFacts(list, this.at).then(
      (all) => {
        if (turn !== this.#turn) return;
        this.error = all.length === 0 ? "this step has no clips" : "";
        this.all = all;
      },
      (failure: unknown) => {
        if (turn === this.#turn) this.error = messageOf(failure);
      },
    );
  }

  /** Its samples, for the pictures. Run inside an effect; returns what ends it. */
  draw(): () => void {
    const { address, facts } = this;
    let isOver = false;
    if (address && facts && !facts.problem) {
      if (facts.size > DRAWN_BYTES) this.drawing = "Too long to be drawn; it can be heard.";
      else {
        decode(address, facts.sample_rate_hz).then(
          (buffer) => {
            if (!isOver) [this.buffer, this.drawing] = [buffer, ""];
          },
          (failure: unknown) => {
            if (!isOver) [this.buffer, this.drawing] = [null, messageOf(failure)];
          },
        );
      }
    }
    return () => {
      isOver = true;
    };
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
    this.#audio?.pause();
    this.#audio?.removeAttribute("src");
    this.#audio = undefined;
  }
}
