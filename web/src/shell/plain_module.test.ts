import { expect, test } from "vitest";
import { moduleAddress, placeInStack, sentenceOf } from "./plain_module";

const MODULE = "api/dashboards/mine/files/0/view.js";

test("a changed view is at an address of its own, and so is what it imports", () => {
  expect([moduleAddress(MODULE, undefined), moduleAddress(MODULE, 7)]).toEqual([
    MODULE,
    "api/dashboards/mine/files/7/view.js",
  ]);
});

test("an error names the first place that is in a file of the view", () => {
  const stack = `Error: no
    at createChart (http://h/assets/page.js:1:2)
    at draw (http://h/x/api/dashboards/mine/files/7/parts/draw.js:3:9)
    at mount (http://h/x/${MODULE}:12:5)`;
  expect(placeInStack(stack)).toBe("parts/draw.js, line 3, column 9");
  expect(sentenceOf(Object.assign(new Error("no"), { stack }))).toBe("no (parts/draw.js, line 3, column 9)");
  expect([sentenceOf("thrown text"), placeInStack("Error: no\n at http://h/assets/page.js:1:2")]).toEqual([
    "thrown text",
    "",
  ]);
});
