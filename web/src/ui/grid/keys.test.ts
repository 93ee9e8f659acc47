import { expect, test } from "vitest";
import { moveCursor, scrollInto } from "./keys";

const bounds = { rows: 100, columns: 5, page: 20 };

test("keys move over header, rows and columns, and stop at the edges", () => {
  const from = { row: 0, column: -1 };
  expect(moveCursor(from, "ArrowUp", bounds, false)).toEqual({ row: -1, column: -1 });
  expect(moveCursor(from, "ArrowLeft", bounds, false)).toEqual(from);
  expect(moveCursor(from, "End", bounds, true)).toEqual({ row: 99, column: 4 });
  expect(moveCursor({ row: 99, column: 4 }, "PageDown", bounds, false)).toEqual({ row: 99, column: 4 });
  expect(moveCursor({ row: 10, column: 4 }, "PageUp", bounds, false)).toEqual({ row: 0, column: 4 });
  expect(moveCursor({ row: 50, column: 4 }, "Home", bounds, true)).toEqual({ row: 0, column: -1 });
  expect(moveCursor(from, "x", bounds, false)).toBe(null);
  expect(moveCursor({ row: -1, column: 0 }, "ArrowDown", { rows: 0, columns: 0, page: 1 }, false)).toEqual({
    row: -1,
    column: -1,
  });
});

test("what is inside needs no scrolling; what is outside comes in at its own side", () => {
  expect(scrollInto(100, 200, 150, 175)).toBe(100);
  expect(scrollInto(100, 200, 50, 75)).toBe(50);
  expect(scrollInto(100, 200, 290, 315)).toBe(115);
  expect(scrollInto(0, 50, 100, 400)).toBe(100);
});
