import { expect, it } from "vitest";
import { backgroundOf } from "./thumbnails";

it("cuts an image from the sprite", () => {
  expect(backgroundOf({ width: 8, height: 4, columns: 10 }, 23, 80)).toEqual({
    widthPx: 80,
    heightPx: 40,
    size: "800px auto",
    position: "-240px -80px",
    isEnlarged: true,
  });
  expect(backgroundOf({ width: 100, height: 100, columns: 10 }, 0, 20).isEnlarged).toBe(false);
});
