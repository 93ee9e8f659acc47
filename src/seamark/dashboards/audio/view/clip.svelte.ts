/** The clips of one run and tag: the chosen one, what is known about it, its samples, and the sound itself. */

import { PayloadSource } from "$public/boards";
import { payloadAttempts } from "$public/charts";
import { atOrBefore, messageOf, type DashboardContext } from "$public/core";
import { clipAddress, decode, fetchFacts, type Facts } from "./model";

/** Larger clips are played but not drawn: their samples would fill the page's memory. */
const DRAWN_BYTES = 48 << 20;

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
  all = $state.raw<readonly Facts[] | null>(null);
  buffer = $state.raw<AudioBuffer | null>(null);
  /** From the server or the browser, about the chosen clip. */
  error = $state("");
  /** Why it is not drawn. */
  drawing = $state("");
  #request = 0;
  #audio: HTMLAudioElement | undefined;

  /** Nothing is loaded while `request` returns null. */
  constructor(
    private readonly context: DashboardContext,
    private readonly request: () => ClipRequest | null,
  ) {
    $effect(() => this.#list());
    $effect(() => this.#describe());
    $effect(() => this.#decode());
    $effect(() => () => this.#close());
  }

  readonly sample = $derived.by(() => this.request()?.sample ?? 0);
  readonly steps = $derived.by((): readonly number[] => this.source.list?.steps ?? []);
  readonly at = $derived.by(() => {
    const step = this.request()?.step;
    return step === undefined ? this.steps.length - 1 : atOrBefore(this.steps, step);
  });
  readonly facts = $derived.by((): Facts | null => this.all?.[Math.min(this.sample, this.all.length - 1)] ?? null);
  readonly #chosen = $derived.by(() => Math.min(this.sample, (this.all?.length ?? 1) - 1));
  readonly address = $derived.by(() =>
    this.source.list && this.at >= 0 ? clipAddress(this.source.list, this.at, Math.max(0, this.#chosen)) : null,
  );
  readonly seconds = $derived.by(() => this.buffer?.duration ?? this.facts?.seconds ?? 0);

  #list(): void {
    const request = this.request();
    if (!request) return;
    const { run, tag } = request;
    const { settings } = this.context;
    this.source.ask(
      { run, tag, kind: "audio", attempts: payloadAttempts(settings.attempts) },
      this.context.revisionOf("audio", tag),
    );
  }

  /** Reads what is known about the clips of the step. */
  #describe(): void {
    const { list } = this.source;
    if (!list || this.at < 0) return;
    const request = ++this.#request;
    fetchFacts(list, this.at).then(
      (all) => {
        if (request !== this.#request) return;
        this.error = all.length === 0 ? "this step has no clips" : "";
        this.all = all;
      },
      (failure: unknown) => {
        if (request === this.#request) this.error = messageOf(failure);
      },
    );
  }

  /** Reads its samples, for the pictures. Returns a function that drops the result. */
  #decode(): (() => void) | undefined {
    const { address, facts } = this;
    if (!address || !facts || facts.problem) return undefined;
    if (facts.size > DRAWN_BYTES) {
      this.drawing = "Too long to be drawn; it can be heard.";
      return undefined;
    }
    let isDropped = false;
    decode(address, facts.sample_rate_hz).then(
      (buffer) => {
        if (!isDropped) [this.buffer, this.drawing] = [buffer, ""];
      },
      (failure: unknown) => {
        if (!isDropped) [this.buffer, this.drawing] = [null, messageOf(failure)];
      },
    );
    return () => {
      isDropped = true;
    };
  }

  /** The element that plays it, created on first use. */
  get audio(): HTMLAudioElement {
    this.#audio ??= new Audio();
    const address = new URL(this.address ?? "", document.baseURI).href;
    if (this.address && this.#audio.src !== address) this.#audio.src = address;
    return this.#audio;
  }

  silence(): void {
    this.#audio?.pause();
  }

  #close(): void {
    this.source.close();
    this.#audio?.pause();
    this.#audio?.removeAttribute("src");
    this.#audio = undefined;
  }
}
