/** A GIF as frames: taken apart by the browser where it can, by the server elsewhere. */

import { mediaFiles, requestBytes, requestJson } from "$public/core";

/** Decoded frames are kept up to this; a longer clip is decoded as it is played. */
const MAX_KEPT_BYTES = 96_000_000;
/** As browsers play frames that ask for less, or for nothing. */
const [SHORTEST_MS, USUAL_MS] = [20, 100];

export interface FrameSource {
  readonly durationsMs: readonly number[];
  readonly width: number;
  readonly height: number;
  frame(number: number): Promise<CanvasImageSource>;
  close(): void;
}

/** The part of the browser's decoder that is used here; not every browser has it, and none without a secure origin. */
interface Decoder {
  readonly tracks: { readonly ready: Promise<void>; readonly selectedTrack: { readonly frameCount: number } | null };
  readonly completed: Promise<void>;
  decode(options: {
    frameIndex: number;
  }): Promise<{
    image: {
      readonly duration: number | null;
      readonly displayWidth: number;
      readonly displayHeight: number;
      close(): void;
    } & CanvasImageSource;
  }>;
  close(): void;
}
declare const ImageDecoder: (new (options: { data: BufferSource; type: string }) => Decoder) | undefined;

export const canTakeApart = (): boolean => typeof ImageDecoder !== "undefined";

export async function openGif(address: string, query: string, signal: AbortSignal): Promise<FrameSource> {
  return canTakeApart() ? decodeHere(address, signal) : decodeThere(query, signal);
}

async function decodeHere(address: string, signal: AbortSignal): Promise<FrameSource> {
  const decoder = new ImageDecoder!({ data: await requestBytes(address, { signal }), type: "image/gif" });
  await decoder.tracks.ready;
  await decoder.completed; // before that, not all frames are counted
  const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
  const durationsMs: number[] = [];
  const kept: ImageBitmap[] = [];
  let size = { width: 0, height: 0 };
  for (let frameIndex = 0; frameIndex < count && !signal.aborted; frameIndex += 1) {
    const decoded = await decoder.decode({ frameIndex }).catch((error: unknown) => {
      if (frameIndex === 0) throw error;
    });
    if (!decoded) break; // cut off: the frames before are worth seeing
    const { image } = decoded;
    size = { width: image.displayWidth, height: image.displayHeight };
    durationsMs.push(image.duration && image.duration / 1000 >= SHORTEST_MS ? image.duration / 1000 : USUAL_MS);
    if (kept.length === frameIndex && (frameIndex + 1) * size.width * size.height * 4 <= MAX_KEPT_BYTES)
      kept.push(await createImageBitmap(image));
    image.close();
  }
  let passing: ImageBitmap | null = null;
  const decodeAgain = async (frameIndex: number): Promise<ImageBitmap> => {
    const { image } = await decoder.decode({ frameIndex });
    const bitmap = await createImageBitmap(image);
    image.close();
    passing?.close();
    passing = bitmap;
    return bitmap;
  };
  return {
    ...size,
    durationsMs,
    frame: async (number) => kept[number] ?? decodeAgain(number),
    close: () => {
      decoder.close();
      for (const bitmap of kept) bitmap.close();
      passing?.close();
    },
  };
}

async function decodeThere(query: string, signal: AbortSignal): Promise<FrameSource> {
  const address = `api/dashboards/images/frames?${query}`;
  const { durations_ms: durationsMs } = await requestJson<{ durations_ms: number[] }>(address, { signal });
  const frame = async (number: number): Promise<HTMLImageElement> => {
    const image = new Image();
    image.src = await mediaFiles.address(`api/dashboards/images/frame?${query}&frame=${number}`);
    await image.decode();
    return image;
  };
  const first = await frame(0);
  return { durationsMs, width: first.naturalWidth, height: first.naturalHeight, frame, close: () => undefined };
}
