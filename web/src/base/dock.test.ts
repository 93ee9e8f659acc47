import { expect, test } from "vitest";
import { dock } from "./dock";

const WINDOW = { width: 400, height: 300 };
const boxAt = (left: number, top: number): Parameters<typeof dock>[0] => ({
  left,
  top,
  right: left + 40,
  bottom: top + 20,
});

test("below its box, at its left or right edge", () => {
  expect(dock(boxAt(100, 50), { width: 60, height: 80 }, WINDOW)).toEqual({ left: 100, top: 74 });
  expect(dock(boxAt(100, 50), { width: 60, height: 80 }, WINDOW, "right")).toEqual({ left: 80, top: 74 });
});

test("above where there is no room below", () => {
  expect(dock(boxAt(100, 250), { width: 60, height: 80 }, WINDOW).top).toBe(166);
});

test("inside the window, whatever its size", () => {
  expect(dock(boxAt(380, 50), { width: 60, height: 80 }, WINDOW).left).toBe(332);
  expect(dock(boxAt(0, 50), { width: 60, height: 80 }, WINDOW, "right").left).toBe(8);
  expect(dock(boxAt(0, 150), { width: 500, height: 400 }, WINDOW)).toEqual({ left: 8, top: 8 });
});
