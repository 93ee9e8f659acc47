/** Waveform and spectrogram as pixels, in the colours of the theme. */

import type { Extremes, Spectrogram } from "./dsp";

type Rgb = readonly [number, number, number];
/** Quieter than this is background. */
export const FLOOR_DB = -90;
const SHADES = 256;

export function tokenOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function drawWave(canvas: HTMLCanvasElement, waves: readonly Extremes[], colour: string, line: string): void {
  const pen = canvas.getContext("2d")!;
  const { width, height } = canvas;
  pen.clearRect(0, 0, width, height);
  const lane = height / Math.max(1, waves.length);
  waves.forEach(({ low, high }, place) => {
    const middle = lane * (place + 0.5);
    const reach = lane / 2 - 1;
    pen.fillStyle = line;
    pen.fillRect(0, Math.round(middle), width, 1);
    pen.fillStyle = colour;
    for (let column = 0; column < low.length; column += 1) {
      const top = middle - Math.min(1, high[column]!) * reach;
      const bottom = middle - Math.max(-1, low[column]!) * reach;
      pen.fillRect(column, top, 1, Math.max(1, bottom - top));
    }
  });
}

export function drawSpectrogram(
  canvas: HTMLCanvasElement,
  { columns, bins, levels }: Spectrogram,
  ramp: readonly Rgb[],
): void {
  const pen = canvas.getContext("2d")!;
  const { width, height } = canvas;
  const image = pen.createImageData(width, height);
  const table = shadesOf(ramp);
  for (let y = 0; y < height; y += 1) {
    // The loudest of the bins that share a row of pixels.
    const firstBin = Math.min(bins - 1, Math.floor(((height - 1 - y) / height) * bins));
    const endBin = Math.max(firstBin + 1, Math.floor(((height - y) / height) * bins));
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(columns - 1, Math.floor((x / width) * columns));
      let level = -Infinity;
      for (let bin = firstBin; bin < endBin; bin += 1) level = Math.max(level, levels[column * bins + bin]!);
      const shade = Math.max(0, Math.min(SHADES - 1, Math.round(((level - FLOOR_DB) / -FLOOR_DB) * (SHADES - 1))));
      const at = (y * width + x) * 4;
      image.data[at] = table[shade * 3]!;
      image.data[at + 1] = table[shade * 3 + 1]!;
      image.data[at + 2] = table[shade * 3 + 2]!;
      image.data[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
}

function shadesOf(ramp: readonly Rgb[]): Uint8Array {
  const table = new Uint8Array(SHADES * 3);
  for (let shade = 0; shade < SHADES; shade += 1) {
    const place = (shade / (SHADES - 1)) * (ramp.length - 1);
    const below = Math.min(ramp.length - 2, Math.floor(place));
    for (let part = 0; part < 3; part += 1)
      table[shade * 3 + part] = ramp[below]![part]! + (ramp[below + 1]![part]! - ramp[below]![part]!) * (place - below);
  }
  return table;
}

/** Silence is the card's own colour; the louder, the further from it. */
export const rampOf = (): Rgb[] =>
  ["--surface", "--q1", "--q2", "--q3", "--q4", "--q5", "--q6", "--q7"].map((name) => rgb(tokenOf(name)));

/** "#rgb" too: a minifier shortens what can be shortened. */
export function rgb(hex: string): Rgb {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1, 7);
  const number = Number.parseInt(digits, 16);
  return Number.isNaN(number) ? [0, 0, 0] : [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
