import { expect, test } from "vitest";
import { pixelOf } from "../ramp";
import { barsOf, channelsOf, colourAt } from "./marks";

test("bars stand on their baseline in the middle of their steps", () => {
  const { x0, x1, y0, y1 } = barsOf([5, 0, 10], { left: 100, step: 20, base: 50, width: 10 });
  expect([...x0]).toEqual([105, 125, 145]);
  expect([...x1]).toEqual([115, 135, 155]);
  expect([...y0]).toEqual([50, 50, 50]);
  expect([...y1]).toEqual([45, 50, 40]);
});

test("a mark has one colour or one for each item", () => {
  expect(colourAt({ colour: 7 }, 3)).toBe(7);
  expect(colourAt({ colour: Uint32Array.of(1, 2) }, 1)).toBe(2);
  expect(channelsOf(pixelOf(0xff0080, 51)).map((share) => Math.round(share * 255))).toEqual([255, 0, 128, 51]);
});
