/** Waveform and spectrogram as pixels, in the colours of the theme. */

import { themeColours } from "$public/charts";
import type { Extremes, Spectrogram } from "./dsp";

/** Quieter than this is background. */
export const FLOOR_DB = -90;

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
  shades: Uint32Array,
): void {
  const pen = canvas.getContext("2d")!;
  const { width, height } = canvas;
  const image = pen.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const last = shades.length - 1;
  for (let y = 0; y < height; y += 1) {
    // The loudest of the bins that share a row of pixels.
    const firstBin = Math.min(bins - 1, Math.floor(((height - 1 - y) / height) * bins));
    const endBin = Math.max(firstBin + 1, Math.floor(((height - y) / height) * bins));
    for (let x = 0; x < width; x += 1) {
      const column = Math.min(columns - 1, Math.floor((x / width) * columns));
      let level = -Infinity;
      for (let bin = firstBin; bin < endBin; bin += 1) level = Math.max(level, levels[column * bins + bin]!);
      pixels[y * width + x] = shades[Math.max(0, Math.min(last, Math.round(((level - FLOOR_DB) / -FLOOR_DB) * last)))]!;
    }
  }
  pen.putImageData(image, 0, 0);
}

/** Silence is the card's own colour; the louder, the further from it. */
export const shadesOf = (theme: string): Uint32Array =>
  themeColours
    .ramp([themeColours.rgb(themeColours.token("--surface", theme)), ...themeColours.rampStops(theme)])
    .map((rgb) => themeColours.pixel(rgb));
