/** The values of pixels, as they were logged: no colour profile is applied. */

import { requestBytes } from "$public/core";

/** Red, green, blue, alpha; 0 to 255. */
export type Pixel = readonly [number, number, number, number];

/** Statistics are worked out up to this many pixels. */
const MAX_COMPARED = 4_000_000;

export class PixelSource {
  readonly width: number;
  readonly height: number;
  readonly #context: CanvasRenderingContext2D;

  constructor(private readonly bitmap: ImageBitmap) {
    this.width = bitmap.width;
    this.height = bitmap.height;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    this.#context = canvas.getContext("2d", { willReadFrequently: true })!;
    this.#context.imageSmoothingEnabled = false;
  }

  static async read(address: string, signal: AbortSignal): Promise<PixelSource> {
    const image = new Blob([await requestBytes(address, { signal })]);
    return new PixelSource(await createImageBitmap(image, { colorSpaceConversion: "none", premultiplyAlpha: "none" }));
  }

  at(x: number, y: number): Pixel {
    this.#context.clearRect(0, 0, 1, 1);
    this.#context.drawImage(this.bitmap, x, y, 1, 1, 0, 0, 1, 1);
    const [red, green, blue, alpha] = this.#context.getImageData(0, 0, 1, 1).data;
    return [red!, green!, blue!, alpha!];
  }

  /** Every pixel, or null when there are too many. */
  all(): Uint8ClampedArray | null {
    if (this.width * this.height > MAX_COMPARED) return null;
    const canvas = document.createElement("canvas");
    canvas.width = this.width;
    canvas.height = this.height;
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(this.bitmap, 0, 0);
    return context.getImageData(0, 0, this.width, this.height).data;
  }

  close(): void {
    this.bitmap.close();
  }
}

export interface Difference {
  /** Of all channels of all pixels, 0 to 255. */
  readonly mean: number;
  readonly largest: number;
  /** Pixels that differ in any channel, of all. */
  readonly share: number;
}

/** Over red, green and blue; the two are of one size. */
export function differenceOf(a: ArrayLike<number>, b: ArrayLike<number>): Difference {
  let sum = 0;
  let largest = 0;
  let differing = 0;
  for (let at = 0; at < a.length; at += 4) {
    let here = 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const by = Math.abs(a[at + channel]! - b[at + channel]!);
      sum += by;
      if (by > here) here = by;
    }
    if (here > 0) differing += 1;
    if (here > largest) largest = here;
  }
  const pixels = a.length / 4;
  return pixels === 0
    ? { mean: 0, largest: 0, share: 0 }
    : { mean: sum / (3 * pixels), largest, share: differing / pixels };
}

/** "128" for grey, "255 0 0", with alpha when it is not full. */
export function asWords([red, green, blue, alpha]: Pixel): string {
  const colour = red === green && green === blue ? String(red) : `${red} ${green} ${blue}`;
  return alpha === 255 ? colour : `${colour} α ${alpha}`;
}
