import { viewports } from "$public/charts";
import { expect, test } from "vitest";
import { atScale, fitImage, limitsOf, pixelAt, placementOf, samePixel } from "./zoom";

const box = { width: 800, height: 600 };

test("a small image is enlarged by a whole number, a large one fits", () => {
  expect(placementOf(fitImage({ width: 28, height: 28 }, box))).toEqual({ scale: 21, x: 106, y: 6 });
  expect(placementOf(fitImage({ width: 1600, height: 600 }, box))).toEqual({ scale: 0.5, x: 0, y: 150 });
});

test("the pixel under the pointer is still under it after zooming", () => {
  const image = { width: 100, height: 100 };
  const at = { x: 321, y: 123 };
  let view = fitImage(image, box);
  const before = pixelAt(view, at, image);
  for (const factor of [1.5, 2, 0.7]) view = viewports.zoomAt(view, factor, at, limitsOf(image, box));
  expect(pixelAt(view, at, image)).toEqual(before);
});

test("an image cannot be pushed out of its box", () => {
  const image = { width: 100, height: 100 };
  const { x, y } = placementOf(viewports.pan(fitImage(image, box), 1e6, -1e6, limitsOf(image, box)));
  expect(x).toBeCloseTo(760);
  expect(y).toBeCloseTo(40 - 600);
});

test("beside the image there is no pixel, and its last one is found", () => {
  const image = { width: 4, height: 4 };
  const view = viewports.pan(atScale(image, { width: 40, height: 40 }, 10), 5, 5);
  expect(pixelAt(view, { x: 4, y: 9 }, image)).toBeNull();
  expect(pixelAt(view, { x: 44.9, y: 44.9 }, image)).toEqual({ x: 3, y: 3 });
  expect(pixelAt(view, { x: 45, y: 5 }, image)).toBeNull();
});

test("in an image of another size the same part is meant", () => {
  expect(samePixel({ x: 3, y: 0 }, { width: 4, height: 4 }, { width: 8, height: 2 })).toEqual({ x: 7, y: 0 });
});
