import { expect, test } from "vitest";
import { GREY, rgbOf } from "./look";

test("colours as tokens have them, shortened by a minifier or not", () => {
  expect([rgbOf("#fff"), rgbOf("#0b6a88"), rgbOf("#0b6a881f"), rgbOf("")]).toEqual([
    0xffffff,
    0x0b6a88,
    0x0b6a88,
    GREY,
  ]);
});
