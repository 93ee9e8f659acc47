/** Colour ramps: the shades between a few stops, as colours and as pixels. `rampStops` in look.ts has the page's own stops. */

/** `count` colours from the first stop to the last, each 0xRRGGBB; mixed in sRGB, as CSS gradients are. */
export function rampOf(stops: readonly number[], count = 256): Uint32Array {
  const last = stops.length - 1;
  return Uint32Array.from({ length: count }, (_, shade) => {
    const position = count > 1 ? (shade / (count - 1)) * last : 0;
    const below = Math.max(0, Math.min(last - 1, Math.floor(position)));
    return mixRgb(stops[below]!, stops[Math.min(last, below + 1)]!, position - below);
  });
}

/** `share` 0 is all of `from`, 1 all of `to`. */
export function mixRgb(from: number, to: number, share: number): number {
  const channel = (shift: number): number => {
    const [low, high] = [(from >> shift) & 255, (to >> shift) & 255];
    return Math.round(low + (high - low) * share) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

/** 0xRRGGBB as a word of ImageData (0xAABBGGRR on the little-endian machines that browsers run on); `alpha` is 0 to 255. */
export function pixelOf(rgb: number, alpha = 255): number {
  return ((alpha << 24) | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}
