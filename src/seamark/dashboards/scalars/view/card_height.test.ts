import { expect, test } from "vitest";
import { cardHeight } from "./card_height";

test("a chart is as high as the window allows, and higher in a single column", () => {
  expect([600, 900, 3000].map((height) => cardHeight(height, 3))).toEqual([188, 200, 282]);
  expect(cardHeight(900, 1)).toBe(295);
});
