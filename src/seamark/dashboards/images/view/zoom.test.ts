import { expect, test } from "vitest";
import { fit, panBy, pixelAt, samePlace, zoomAt } from "./zoom";

const box = { width: 800, height: 600 };

test("a small image is enlarged by a whole number, a large one fits", () => {
  expect(fit({ width: 28, height: 28 }, box)).toEqual({ scale: 21, x: 106, y: 6 });
  expect(fit({ width: 1600, height: 600 }, box)).toEqual({ scale: 0.5, x: 0, y: 150 });
});

test("the pixel under the pointer is still under it after zooming", () => {
  const image = { width: 100, height: 100 };
  const at = { x: 321, y: 123 };
  let view = fit(image, box);
  const before = pixelAt(view, at, image);
  for (const factor of [1.5, 2, 0.7]) view = zoomAt(view, factor, at, image, box);
  expect(pixelAt(view, at, image)).toEqual(before);
});

test("an image cannot be pushed out of its box", () => {
  const image = { width: 100, height: 100 };
  const view = panBy(fit(image, box), 1e6, -1e6, image, box);
  expect(view.x).toBe(760);
  expect(view.y).toBe(40 - 600);
});

test("beside the image there is no pixel, and its last one is found", () => {
  const view = { scale: 10, x: 5, y: 5 };
  expect(pixelAt(view, { x: 4, y: 9 }, { width: 4, height: 4 })).toBeNull();
  expect(pixelAt(view, { x: 44.9, y: 44.9 }, { width: 4, height: 4 })).toEqual({ x: 3, y: 3 });
  expect(pixelAt(view, { x: 45, y: 5 }, { width: 4, height: 4 })).toBeNull();
});

test("in an image of another size the same place is meant", () => {
  expect(samePlace({ x: 3, y: 0 }, { width: 4, height: 4 }, { width: 8, height: 2 })).toEqual({ x: 7, y: 0 });
});
