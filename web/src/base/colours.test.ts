import { expect, test } from "vitest";
import { cssColour, paletteStyle } from "./colours";

test("hue families that repeat are dashed, and the palette starts again after 24", () => {
  expect(paletteStyle(0)).toEqual({ token: "--run-1", dashed: false });
  expect(paletteStyle(11).dashed).toBe(false);
  expect(paletteStyle(12)).toEqual({ token: "--run-13", dashed: true });
  expect(paletteStyle(24)).toEqual(paletteStyle(0));
});

test("a colour is a token or itself", () => {
  expect([cssColour("--run-2"), cssColour("#a0b1c2")]).toEqual(["var(--run-2)", "#a0b1c2"]);
  expect(cssColour("--run-2 30%")).toBe("color-mix(in srgb, var(--run-2), var(--surface) 30%)");
});
