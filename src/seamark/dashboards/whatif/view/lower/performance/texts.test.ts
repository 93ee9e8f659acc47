import { expect, it } from "vitest";
import { intervalText, percent, points, withinInterval } from "./texts";

it("writes shares and differences with their intervals", () => {
  expect([percent(0.8213), percent(1), percent(null)]).toEqual(["82.1%", "100.0%", "n/a"]);
  expect([points(-0.004), points(0.133), points(-0.0001), points(null)]).toEqual([
    "−0.4 pt",
    "+13.3 pt",
    "+0.0 pt",
    "n/a",
  ]);
  expect(intervalText(0.797, 0.842, percent)).toBe("79.7 to 84.2");
  expect(intervalText(-0.064, 0.056, points)).toBe("−6.4 to +5.6");
  expect(intervalText(null, null, points)).toBe("");
});

it("leaves out digits far below the interval", () => {
  expect(withinInterval(-6.173e-15, -4.15, 4.15)).toBe(0);
  expect(withinInterval(1.23456, 1, 1.5)).toBe(1.2346);
  expect(withinInterval(12345.678, 12000, 13000)).toBe(12346);
  expect([withinInterval(0.1, null, null), withinInterval(0.1, 1, 1)]).toEqual([0.1, 0.1]);
});
