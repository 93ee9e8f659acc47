/** The pixels of the picture that is on the stage, read once it has stayed there. */

import { PixelSource } from "./pixels";

export class StagePixels {
  source = $state.raw<PixelSource | null>(null);

  constructor(address: () => string) {
    $effect(() => {
      const wanted = address();
      if (wanted === "") return;
      const gone = new AbortController();
      PixelSource.read(wanted, gone.signal)
        .then((source) => {
          if (gone.signal.aborted) return source.close();
          this.source = source;
        })
        .catch(() => undefined); // a picture that cannot be decoded has no values; the stage says why
      return () => {
        gone.abort();
        this.source?.close();
        this.source = null;
      };
    });
  }

  get size(): { width: number; height: number } | null {
    return this.source;
  }
}
