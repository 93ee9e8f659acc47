import { expect, test } from "vitest";
import type { ChartSpec } from "../../chart/spec";
import { setOf } from "../../chart/testing";
import { figureOf, firstFields } from "./figure";

const spec: ChartSpec = {
  label: "",
  set: setOf([0, 1]),
  theme: "dark",
  styleOf: () => ({ token: "#000", dashed: false, live: false }),
};
const picture = { spec, title: "train/loss", width: 351, height: 182 };

test("a figure is as large as the paper has room, on white, with its axes named", () => {
  const figure = figureOf(picture, firstFields(picture));
  expect(figure).toMatchObject({
    spec: { theme: "light" },
    options: { width: 336, height: 227, fontPx: 10, xTitle: "Step", yTitle: "train/loss", isTitleShown: false },
  });
});

test("what cannot be drawn is said", () => {
  const fields = firstFields(picture);
  expect(figureOf(picture, { ...fields, widthMm: "9" })).toBe("The width must be 30 to 500 mm.");
  expect(figureOf(picture, { ...fields, heightMm: "tall" })).toBe("The height must be 30 to 500 mm.");
  expect(figureOf(picture, { ...fields, fontPoints: "99" })).toBe("The font size must be 4 to 30 points.");
});
