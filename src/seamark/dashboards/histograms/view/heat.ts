/** The heat map of histograms: a column of the plot for each, a shade for each bin, written as pixels. */

import { chartAxes, type Frame, type Range, type Scale, themeColours } from "$public/charts";

export interface HeatInput {
  readonly rows: readonly { readonly along: number }[];
  /** The shown part of x. */
  readonly along: Range;
  /** Counts in equal parts of y, one array per row. */
  readonly heights: readonly Float64Array[];
  readonly highest: number;
  readonly scale: Scale;
}

/** A stretch of pixels along x and the histogram that fills it. */
export interface HeatColumn {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** Each histogram reaches half way to its neighbours, the outermost to the edge of the plot; in device pixels. */
export function heatColumns(
  { rows, along }: Pick<HeatInput, "rows" | "along">,
  frame: Pick<Frame, "left" | "right" | "toX">,
  dpr: number,
): HeatColumn[] {
  const pixel = (position: number): number =>
    Math.round((Math.min(Math.max(position, frame.left), frame.right) - frame.left) * dpr);
  const half = (index: number, neighbour: number): number =>
    frame.toX((rows[index]!.along + rows[neighbour]!.along) / 2);
  return rows.flatMap((row, index) => {
    if (row.along < along.from || row.along > along.to) return [];
    const from = pixel(index === 0 ? frame.left : half(index, index - 1));
    const to = pixel(index === rows.length - 1 ? frame.right : half(index, index + 1));
    // Histograms closer than a pixel: each still gets one.
    return [{ index, from, to: Math.max(to, from + 1) }];
  });
}

/** The pixels of the plot as ImageData has them; 0 where nothing was counted. */
export function heatPixels(
  { heights, highest, scale }: Pick<HeatInput, "heights" | "highest" | "scale">,
  columns: readonly HeatColumn[],
  { width, height }: { readonly width: number; readonly height: number },
  shades: Uint32Array,
): Uint32Array<ArrayBuffer> {
  const pixels = new Uint32Array(width * height);
  const perShade = (shades.length - 1) / chartAxes.project(scale, highest);
  for (const { index, from, to } of columns) {
    const counts = heights[index]!;
    const last = Math.min(to, width);
    for (let y = 0; y < height; y += 1) {
      const count = counts[Math.floor(((height - 1 - y) * counts.length) / height)]!;
      if (count <= 0) continue;
      const shade = shades[Math.round(chartAxes.project(scale, count) * perShade)]!;
      pixels.fill(shade, y * width + from, y * width + last);
    }
  }
  return pixels;
}

let cached = { theme: "", shades: new Uint32Array() };

function shadesOf(theme: string): Uint32Array {
  if (cached.theme !== theme)
    cached = { theme, shades: themeColours.ramp(themeColours.rampStops(theme)).map((rgb) => themeColours.pixel(rgb)) };
  return cached.shades;
}

export function paintHeat(input: HeatInput, theme: string, pen: CanvasRenderingContext2D, frame: Frame): void {
  const dpr = pen.getTransform().a;
  const size = {
    width: Math.round((frame.right - frame.left) * dpr),
    height: Math.round((frame.bottom - frame.top) * dpr),
  };
  if (size.width <= 0 || size.height <= 0) return;
  const pixels = heatPixels(input, heatColumns(input, frame, dpr), size, shadesOf(theme));
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer), size.width, size.height);
  pen.putImageData(image, Math.round(frame.left * dpr), Math.round(frame.top * dpr));
}
