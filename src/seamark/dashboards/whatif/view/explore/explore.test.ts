import { expect, test, vi } from "vitest";
import { Gestures, type GestureHost } from "./gestures";
import { orderedRows } from "./table/row_order";

function host(): GestureHost & { readonly calls: string[] } {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...values: unknown[]): void =>
      void calls.push([name, ...values.map((value) => JSON.stringify(value))].join(" "));
  return {
    calls,
    startBrush: note("start"),
    extendBrush: vi.fn(),
    endBrush: note("end"),
    cancelBrush: note("cancel"),
    pointAt: vi.fn(),
    click: note("click"),
  };
}

test("a press that hardly moves is a click", () => {
  const made = host();
  const gestures = new Gestures(made);
  gestures.press(1, { x: 10, y: 10 }, false);
  gestures.move(1, { x: 11, y: 11 });
  gestures.release(1, { x: 11, y: 11 });
  expect(made.calls).toEqual(['click {"x":11,"y":11}']);
});

test("a drag draws a box, with Shift a lasso", () => {
  const made = host();
  const gestures = new Gestures(made);
  for (const isLasso of [false, true]) {
    gestures.press(1, { x: 0, y: 0 }, isLasso);
    gestures.move(1, { x: 20, y: 0 });
    gestures.release(1, { x: 20, y: 0 });
  }
  expect(made.calls).toEqual(['start "box" {"x":0,"y":0}', "end", 'start "lasso" {"x":0,"y":0}', "end"]);
});

test("a second finger ends the drag without a selection", () => {
  const made = host();
  const gestures = new Gestures(made);
  gestures.press(1, { x: 0, y: 0 }, false);
  gestures.move(1, { x: 20, y: 0 });
  gestures.press(2, { x: 5, y: 5 }, false);
  gestures.release(1, { x: 20, y: 0 });
  expect(made.calls.at(-1)).toBe("cancel");
});

test("rows are in the order of a column; missing values are last either way", () => {
  const rows = Uint32Array.from([0, 1, 2, 3]);
  const numbers = { type: "number", values: Float32Array.from([3, NaN, 1, 2]), names: [] };
  expect([...orderedRows(rows, numbers, false)]).toEqual([2, 3, 0, 1]);
  expect([...orderedRows(rows, numbers, true)]).toEqual([0, 3, 2, 1]);
  const names = { type: "category", values: Int32Array.from([0, 1, 0, -1]), names: ["b", "a"] };
  expect([...orderedRows(rows, names, false)]).toEqual([1, 0, 2, 3]);
  expect([...orderedRows(rows, null, true)]).toEqual([3, 2, 1, 0]);
});
