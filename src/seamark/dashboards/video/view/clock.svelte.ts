/** The time that clips are played by: one clock for all, or one for each. */

export const RATES = [0.25, 0.5, 1, 2, 4] as const;

export class Clock {
  /** Seconds since the start. */
  time = $state(0);
  playing = $state(false);
  rate = $state(1);
  loops = $state(true);
  #lengths = $state.raw<ReadonlyMap<string, number>>(new Map());
  /** Of the longest clip. */
  readonly length = $derived(Math.max(0, ...this.#lengths.values()));
  #frame = 0;
  #last = 0;

  /** A clip takes part for as long as it is shown. */
  join(key: string, seconds: number): void {
    if (this.#lengths.get(key) !== seconds && Number.isFinite(seconds)) this.#lengths = new Map(this.#lengths).set(key, seconds);
  }

  leave(key: string): void {
    const lengths = new Map(this.#lengths);
    if (lengths.delete(key)) this.#lengths = lengths;
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.time >= this.length) this.time = 0;
    this.playing = true;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#beat);
  }

  pause(): void {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
  }

  seek(seconds: number): void {
    this.time = Math.min(Math.max(0, seconds), this.length);
  }

  readonly #beat = (now: number): void => {
    const next = advance({ time: this.time, seconds: (now - this.#last) / 1000, rate: this.rate, length: this.length, loops: this.loops });
    this.#last = now;
    this.time = next.time;
    if (next.ended) return this.pause();
    this.#frame = requestAnimationFrame(this.#beat);
  };
}

export function advance({ time, seconds, rate, length, loops }: { time: number; seconds: number; rate: number; length: number; loops: boolean }): { time: number; ended: boolean } {
  const next = time + Math.max(0, seconds) * rate;
  if (next < length || length === 0) return { time: length === 0 ? 0 : next, ended: false };
  return loops ? { time: next % length, ended: false } : { time: length, ended: true };
}

/** The frame that is on at a time; a clip that is over stays on its last one. */
export function frameAt(durationsMs: readonly number[], seconds: number): number {
  let left = seconds * 1000;
  for (let frame = 0; frame < durationsMs.length; frame += 1) {
    left -= durationsMs[frame]!;
    // Sums of milliseconds in seconds are not exact: the very border belongs to the next frame.
    if (left < -1e-6) return frame;
  }
  return durationsMs.length - 1;
}

export const startOf = (durationsMs: readonly number[], frame: number): number =>
  durationsMs.slice(0, frame).reduce((sum, duration) => sum + duration, 0) / 1000;
export const lengthOf = (durationsMs: readonly number[]): number => startOf(durationsMs, durationsMs.length);

export const formatTime = (seconds: number): string => {
  const whole = Math.floor(seconds + 1e-9);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}.${Math.floor((seconds - whole) * 10 + 1e-6)}`;
};
