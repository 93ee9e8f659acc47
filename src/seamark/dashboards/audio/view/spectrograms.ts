/** Spectrograms from workers that all clips of the page share. */

import { WorkerPool } from "$public/core";
import { mono, type Spectrogram } from "./dsp";
import type { jobs } from "./spectrogram_worker";

const pool = new WorkerPool<typeof jobs>(
  () => new Worker(new URL("./spectrogram_worker.ts", import.meta.url), { type: "module" }),
);

export function requestSpectrogram(
  channels: readonly Float32Array[],
  columns: number,
  signal: AbortSignal,
): Promise<Spectrogram> {
  const samples = mono(channels);
  return pool.run("spectrogram", { samples, columns }, { signal, transfer: [samples.buffer] });
}
