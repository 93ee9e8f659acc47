/** Plays through steps: one thing at a time, at a speed a person chose, from the start again after the end. */

export const SPEEDS = [1, 2, 5, 10] as const;

export class Player {
  /** What is playing: the key of a card, or of all of them. */
  playing = $state<string | null>(null);
  perSecond = $state<number>(5);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `advance` moves on by one step; it is called until something else plays or `stop` is. */
  toggle(key: string, advance: () => void): void {
    const wasPlaying = this.playing === key;
    this.stop();
    if (wasPlaying) return;
    this.playing = key;
    const beat = (): void => {
      advance();
      this.#timer = setTimeout(beat, 1000 / this.perSecond);
    };
    beat();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.playing = null;
  }
}
