import { expect, test } from "vitest";
import { rgb } from "./picture";

test("colours as tokens have them, shortened or not", () => {
  expect([rgb("#fff"), rgb("#0b6a88"), rgb("#0b6a881f"), rgb("")]).toEqual([
    [255, 255, 255],
    [11, 106, 136],
    [11, 106, 136],
    [0, 0, 0],
  ]);
});
