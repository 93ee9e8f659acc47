import { expect, test } from "vitest";
import { mixRgb, pixelOf, rampOf } from "./ramp";

test("a ramp has its stops at even distances and mixes between them", () => {
  const ramp = rampOf([0xff0000, 0x00ff00, 0x0000ff], 5);
  expect([...ramp]).toEqual([0xff0000, 0x808000, 0x00ff00, 0x008080, 0x0000ff]);
  expect(rampOf([0x102030, 0xffffff])).toHaveLength(256);
  expect(rampOf([0x102030, 0xffffff])[0]).toBe(0x102030);
  expect(rampOf([0x102030, 0xffffff])[255]).toBe(0xffffff);
});

test("a ramp of one stop or one shade is that colour", () => {
  expect([...rampOf([0x123456], 3)]).toEqual([0x123456, 0x123456, 0x123456]);
  expect([...rampOf([0x123456, 0xffffff], 1)]).toEqual([0x123456]);
});

test("channels are mixed one by one", () => {
  expect(mixRgb(0x000000, 0xffffff, 0.5)).toBe(0x808080);
  expect(mixRgb(0xff8000, 0xff8000, 0.3)).toBe(0xff8000);
});

test("a pixel of ImageData is red, green, blue, alpha in memory", () => {
  const bytes = new Uint8Array(Uint32Array.of(pixelOf(0x112233), pixelOf(0xff0000, 128)).buffer);
  expect([...bytes]).toEqual([0x11, 0x22, 0x33, 255, 255, 0, 0, 128]);
});
