/** The time that clips are played by: one clock for all, or one for each. */

import { untrack } from "svelte";

export const RATES = [0.25, 0.5, 1, 2, 4] as const;
/** A frame of most videos; of a film nobody knows better before it was played. */
const USUAL_FRAME_SECS = 0.04;
const NEAR_SECS = 1e-6;

export interface Pace {
  readonly rate: number;
  /** At its end a clock begins anew. */
  readonly loops: boolean;
}

/** What takes part in a clock. `starts` are the moments at which frames begin, where they are known; else `frameSecs` is how long one takes. */
export interface Clip {
  readonly seconds: number;
  readonly starts?: readonly number[];
  readonly frameSecs?: number;
}

export class Clock implements Pace {
  /** Seconds since the start. */
  time = $state(0);
  playing = $state(false);
  #clips = $state.raw<ReadonlyMap<string, Clip>>(new Map());
  /** Of the longest clip. */
  readonly length = $derived(Math.max(0, ...[...this.#clips.values()].map(({ seconds }) => seconds)));
  #frame = 0;
  #last = 0;

  constructor(private readonly pace: Pace = { rate: 1, loops: true }) {}

  get rate(): number {
    return this.pace.rate;
  }

  get loops(): boolean {
    return this.pace.loops;
  }

  /** A clip takes part for as long as it is shown. Who joins does not depend on who else did. */
  join(key: string, clip: Clip): void {
    if (Number.isFinite(clip.seconds)) this.#clips = new Map(untrack(() => this.#clips)).set(key, clip);
  }

  leave(key: string): void {
    const clips = new Map(untrack(() => this.#clips));
    if (clips.delete(key)) this.#clips = clips;
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

  /** To the nearest moment, forward (1) or back (-1), at which a clip shows another frame. */
  step(direction: 1 | -1): void {
    this.pause();
    this.seek(nextFrame([...this.#clips.values()], this.time, direction));
  }

  readonly #beat = (now: number): void => {
    const next = advance({
      time: this.time,
      seconds: (now - this.#last) / 1000,
      rate: this.rate,
      length: this.length,
      loops: this.loops,
    });
    this.#last = now;
    this.time = next.time;
    if (next.ended) return this.pause();
    this.#frame = requestAnimationFrame(this.#beat);
  };
}

export function advance({
  time,
  seconds,
  rate,
  length,
  loops,
}: {
  time: number;
  seconds: number;
  rate: number;
  length: number;
  loops: boolean;
}): { time: number; ended: boolean } {
  const next = time + Math.max(0, seconds) * rate;
  // Between two clips there is none: the next one goes on where the last one was.
  if (next < length || length === 0) return { time: length === 0 ? time : next, ended: false };
  return loops ? { time: next % length, ended: false } : { time: length, ended: true };
}

export function nextFrame(clips: readonly Clip[], time: number, direction: 1 | -1): number {
  const found = clips
    .flatMap(({ seconds, starts, frameSecs = USUAL_FRAME_SECS }) => {
      if (!starts) return [Math.min(Math.max(0, time + direction * frameSecs), seconds)];
      const shown = starts.findLastIndex((start) => start <= time + NEAR_SECS);
      return starts.slice(Math.max(0, shown + direction), shown + direction + 1);
    })
    .filter((at) => (at - time) * direction > NEAR_SECS);
  if (found.length === 0) return time;
  return direction > 0 ? Math.min(...found) : Math.max(...found);
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
export function startsOf(durationsMs: readonly number[]): number[] {
  let atMs = 0;
  return durationsMs.map((duration) => {
    atMs += duration;
    return (atMs - duration) / 1000;
  });
}
export const lengthOf = (durationsMs: readonly number[]): number => startOf(durationsMs, durationsMs.length);

export const formatTime = (seconds: number): string => {
  const whole = Math.floor(seconds + 1e-9);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}.${Math.floor((seconds - whole) * 10 + 1e-6)}`;
};
