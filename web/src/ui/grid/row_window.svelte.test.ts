import { expect, test } from "vitest";
import { RowWindow } from "./row_window.svelte";

const ROW_PX = 25;

function windowOf(initialCount: number, headPx = 0) {
  let count = $state(initialCount);
  const rows = new RowWindow(() => ({ count, rowPx: ROW_PX, headPx }));
  rows.clientHeight = 500 + headPx;
  rows.element = { scrollTop: 0 } as HTMLElement;
  return { rows, setCount: (next: number) => void (count = next) };
}

test("scrolling draws other rows with the same elements", () => {
  const { rows } = windowOf(1000);
  expect([rows.from, rows.to]).toEqual([0, 28]);
  const slots = rows.indices.map((index) => rows.slotOf(index));
  rows.scroll(500 * ROW_PX);
  expect([rows.from, rows.to]).toEqual([498, 522]);
  expect(rows.indices.map((index) => rows.slotOf(index))).toEqual(slots.slice(0, 24));
});

test("a scroll by less than a row keeps the list of rows, so that nothing is drawn again", () => {
  const { rows } = windowOf(1000);
  rows.scroll(5000);
  rows.scroll(5001);
  const { indices } = rows;
  rows.scroll(5002);
  expect(rows.indices).toBe(indices);
});

test("rows that come or go change what is drawn", () => {
  const { rows, setCount } = windowOf(1000);
  rows.scroll(900 * ROW_PX);
  setCount(10);
  expect(rows.indices).toEqual([7, 8, 9]);
  setCount(0);
  expect(rows.indices).toEqual([]);
});

test("a row is scrolled into view, below a header that stays", () => {
  const { rows } = windowOf(1000, 28);
  rows.show(10);
  expect(rows.element!.scrollTop).toBe(0);
  rows.show(20);
  expect(rows.element!.scrollTop).toBe(ROW_PX);
  expect([rows.height, rows.page]).toEqual([500, 19]);
});
