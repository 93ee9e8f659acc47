import { expect, test } from "vitest";
import { wholeSteps } from "./whole_steps";

test("the ends of a dragged range become the steps inside it", () => {
  expect(wholeSteps({ from: 9.2, to: 20.7 })).toEqual({ from: 10, to: 20 });
  expect(wholeSteps({ from: 10, to: 20 })).toEqual({ from: 10, to: 20 });
});

test("a range between two steps becomes the nearest one", () => {
  expect(wholeSteps({ from: 9.6, to: 9.8 })).toEqual({ from: 10, to: 10 });
});
