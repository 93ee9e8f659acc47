import { expect, test } from "vitest";
import { decibels, extremesOf, fft, mono, peakOf, sizeFor, spectrogramOf } from "./dsp";

const sine = (hz: number, rate: number, seconds: number, amplitude = 1) =>
  Float32Array.from({ length: rate * seconds }, (_, at) => amplitude * Math.sin((2 * Math.PI * hz * at) / rate));

test("no spike is lost when a waveform is downsampled to pixels", () => {
  const samples = new Float32Array(10_000);
  samples[5_001] = 0.9;
  samples[5_002] = -0.8;
  const { low, high } = extremesOf(samples, 10);
  expect([high[5], low[5], high[4]]).toEqual([Math.fround(0.9), Math.fround(-0.8), 0]);
  expect(extremesOf(Float32Array.of(0.5), 4).high).toEqual(Float32Array.of(0.5, 0.5, 0.5, 0.5));
  expect(extremesOf(new Float32Array(0), 2).high).toEqual(Float32Array.of(0, 0));
});

test("the transform is the sum by definition", () => {
  const values = [3, -1, 0.5, 2, 0, 1, -2, 4];
  const real = Float64Array.from(values);
  const imaginary = new Float64Array(8);
  fft(real, imaginary);
  for (let k = 0; k < 8; k += 1) {
    const want = values.reduce(
      ([re, im], value, n) => [
        re! + value * Math.cos((2 * Math.PI * k * n) / 8),
        im! - value * Math.sin((2 * Math.PI * k * n) / 8),
      ],
      [0, 0],
    );
    expect(real[k]).toBeCloseTo(want[0]!, 10);
    expect(imaginary[k]).toBeCloseTo(want[1]!, 10);
  }
});

test("a sine stands at its frequency with its loudness", () => {
  const rate = 16_000;
  const { bins, levels, columns } = spectrogramOf(sine(1_000, rate, 1, 0.5), 50);
  const column = 25;
  const loudest = [...levels.slice(column * bins, (column + 1) * bins)].reduce(
    (best, level, bin, all) => (level > all[best]! ? bin : best),
    0,
  );
  expect(columns).toBe(50);
  expect((loudest * rate) / 2 / bins).toBeCloseTo(1_000, -1);
  expect(levels[column * bins + loudest]).toBeCloseTo(decibels(0.5), 0);
});

test("silence is silent, and full scale is zero decibels", () => {
  expect(Math.max(...spectrogramOf(new Float32Array(4_000), 8).levels)).toBeLessThan(-150);
  expect(decibels(1)).toBe(0);
  expect(decibels(peakOf(Float32Array.of(0.1, -0.5)))).toBeCloseTo(-6.02, 2);
});

test("channels are averaged, windows suit the length", () => {
  expect(mono([Float32Array.of(1, 0), Float32Array.of(0, 1)])).toEqual(Float32Array.of(0.5, 0.5));
  expect([sizeFor(100), sizeFor(8_000), sizeFor(1_000_000)]).toEqual([64, 256, 1024]);
});
