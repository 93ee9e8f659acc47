/** Plays one of a card's clips: the position, the part that it repeats, and the switch to another clip at the same position. */

import { untrack } from "svelte";
import type { Clip } from "./clip.svelte";
import type { Loop } from "./model";

/** The one that plays: a player that starts pauses it. */
let heard: Player | undefined;

export class Player {
  time = $state(0);
  playing = $state(false);
  error = $state("");
  #frame = 0;
  #clip: Clip;

  /** Created with its card. `clip` returns the clip to play. */
  constructor(
    clip: () => Clip,
    private readonly loop: () => Loop | null,
    private readonly repeats: () => boolean,
  ) {
    this.#clip = untrack(clip);
    $effect(() => {
      const next = clip();
      untrack(() => this.#switchTo(next));
    });
    $effect(() => () => this.#close());
  }

  /** Another step or sample is another sound. */
  rewind(): void {
    this.pause();
    this.time = 0;
  }

  async play(): Promise<void> {
    if (heard !== this) heard?.pause();
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the one player of the page that is heard
    heard = this;
    const { audio } = this.#clip;
    const loop = this.loop();
    if (loop && (this.time < loop.from || this.time >= loop.to)) this.time = loop.from;
    else if (this.#clip.seconds > 0 && this.time >= this.#clip.seconds - 0.01) this.time = 0;
    this.#seekTo(audio, this.time);
    try {
      await audio.play();
      this.playing = true;
      this.error = "";
      this.#watch();
    } catch (failure) {
      // A pause before the sound has started is not an error.
      if (!(failure instanceof DOMException && failure.name === "AbortError"))
        this.error = "this browser cannot play the clip";
      this.playing = false;
    }
  }

  pause(): void {
    this.#clip.silence();
    this.playing = false;
    cancelAnimationFrame(this.#frame);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else void this.play();
  }

  seek(time: number): void {
    this.time = Math.max(0, Math.min(time, this.#clip.seconds || time));
    if (this.playing) this.#seekTo(this.#clip.audio, this.time);
  }

  /** The other clip continues at the same position. */
  #switchTo(clip: Clip): void {
    if (clip === this.#clip) return;
    const wasPlaying = this.playing;
    this.pause();
    this.#clip = clip;
    if (clip.seconds > 0) this.time = Math.min(this.time, clip.seconds);
    if (wasPlaying) void this.play();
  }

  #close(): void {
    this.pause();
    if (heard === this) heard = undefined;
  }

  #seekTo(audio: HTMLAudioElement, time: number): void {
    if (Math.abs(audio.currentTime - time) > 0.005) audio.currentTime = time;
  }

  #watch(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      if (!this.playing) return;
      const { audio } = this.#clip;
      const loop = this.loop();
      this.time = audio.currentTime;
      if (loop && this.time >= loop.to) this.#seekTo(audio, (this.time = loop.from));
      else if (audio.ended) {
        if (loop || this.repeats()) {
          audio.currentTime = this.time = loop?.from ?? 0;
          void audio.play();
        } else {
          this.playing = false;
          return;
        }
      }
      this.#watch();
    });
  }
}
