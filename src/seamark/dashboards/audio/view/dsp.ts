/** From samples to pictures: the extremes of a waveform, and how loud each frequency is over time. */

export interface Extremes {
  readonly low: Float32Array;
  readonly high: Float32Array;
}

/** The lowest and highest sample of each of `columns` stretches. */
export function extremesOf(samples: Float32Array, columns: number): Extremes {
  const low = new Float32Array(columns);
  const high = new Float32Array(columns);
  for (let column = 0; column < columns; column += 1) {
    const start = Math.floor((column * samples.length) / columns);
    const end = Math.min(samples.length, Math.max(start + 1, Math.floor(((column + 1) * samples.length) / columns)));
    let least = Infinity;
    let most = -Infinity;
    for (let at = start; at < end; at += 1) {
      const value = samples[at]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    low[column] = least === Infinity ? 0 : least;
    high[column] = most === -Infinity ? 0 : most;
  }
  return { low, high };
}

export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let at = 0; at < samples.length; at += 1) peak = Math.max(peak, Math.abs(samples[at]!));
  return peak;
}

/** Full scale is 0. */
export const decibels = (amplitude: number): number => 20 * Math.log10(Math.max(amplitude, 1e-9));

/** In place, radix 2: the real and imaginary parts of a power of two of values. */
export function fft(real: Float64Array, imaginary: Float64Array): void {
  const n = real.length;
  for (let at = 1, mirror = 0; at < n; at += 1) {
    let bit = n >> 1;
    for (; mirror & bit; bit >>= 1) mirror ^= bit;
    mirror ^= bit;
    if (at < mirror) {
      [real[at], real[mirror]] = [real[mirror]!, real[at]!];
      [imaginary[at], imaginary[mirror]] = [imaginary[mirror]!, imaginary[at]!];
    }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const half = size >> 1;
    const turn = (-2 * Math.PI) / size;
    for (let k = 0; k < half; k += 1) {
      const cos = Math.cos(turn * k);
      const sin = Math.sin(turn * k);
      for (let start = k; start < n; start += size) {
        const other = start + half;
        const re = real[other]! * cos - imaginary[other]! * sin;
        const im = real[other]! * sin + imaginary[other]! * cos;
        real[other] = real[start]! - re;
        imaginary[other] = imaginary[start]! - im;
        real[start]! += re;
        imaginary[start]! += im;
      }
    }
  }
}

export interface Spectrogram {
  readonly columns: number;
  /** From 0 to half the sample rate. */
  readonly bins: number;
  /** Decibels below full scale, column by column, lowest frequency first. */
  readonly levels: Float32Array;
}

/** A long clip has more frames than pixels: of a column so many are looked at, and the loudest of them drawn. */
const FRAMES_PER_COLUMN = 4;

/** One Hann window per look; 512 samples of speech at 16 kHz are 32 ms. */
export function spectrogramOf(samples: Float32Array, columns: number, size = sizeFor(samples.length)): Spectrogram {
  const bins = size >> 1;
  const levels = new Float32Array(columns * bins).fill(-180);
  const hann = Float64Array.from({ length: size }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size));
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const stretch = samples.length / columns;
  const looks = Math.max(1, Math.min(FRAMES_PER_COLUMN, Math.floor(stretch / size)));
  for (let column = 0; column < columns; column += 1) {
    for (let look = 0; look < looks; look += 1) {
      const start = Math.round((column + (look + 0.5) / looks) * stretch - size / 2);
      imaginary.fill(0);
      for (let at = 0; at < size; at += 1) real[at] = (samples[start + at] ?? 0) * hann[at]!;
      fft(real, imaginary);
      for (let bin = 0; bin < bins; bin += 1) {
        // Half of the window's sum stands for a sine of amplitude 1.
        const level = decibels((Math.hypot(real[bin]!, imaginary[bin]!) * 4) / size);
        const place = column * bins + bin;
        if (level > levels[place]!) levels[place] = level;
      }
    }
  }
  return { columns, bins, levels };
}

/** Short clips get short windows, so that there is something to see along time. */
export function sizeFor(length: number): number {
  let size = 64;
  while (size < 1024 && size * 32 < length) size *= 2;
  return size;
}

/** The mean of all channels, as an array of its own. */
export function mono(channels: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  if (channels.length === 1) return channels[0]!.slice();
  const out = new Float32Array(channels[0]?.length ?? 0);
  for (const channel of channels) for (let at = 0; at < out.length; at += 1) out[at]! += channel[at]! / channels.length;
  return out;
}
