/** Computes spectrograms away from the page: those of a full page of clips take seconds. */

import { serveJobs } from "$public/worker";
import { spectrogramOf, type Spectrogram } from "./dsp";

export const jobs = {
  spectrogram: ({ samples, columns }: { readonly samples: Float32Array; readonly columns: number }): Spectrogram =>
    spectrogramOf(samples, columns),
};

serveJobs(jobs);
