import { expect, test } from "vitest";
import { drawnRows, slotOf, visibleRange, type DrawnRows } from "./virtual";

test("only what is on screen is drawn, and a little more", () => {
  expect(visibleRange({ count: 10_000, rowPx: 25, scrollTop: 100_000, height: 500 })).toEqual({
    from: 3992,
    to: 4028,
    first: 4000,
    last: 4020,
  });
  expect(visibleRange({ count: 3, rowPx: 25, scrollTop: 0, height: 500 })).toEqual({
    from: 0,
    to: 3,
    first: 0,
    last: 3,
  });
  expect(visibleRange({ count: 0, rowPx: 25, scrollTop: 0, height: 500 })).toEqual({
    from: 0,
    to: 0,
    first: 0,
    last: 0,
  });
});

test("a list that became shorter than the place scrolled to still shows its end", () => {
  expect(visibleRange({ count: 10, rowPx: 25, scrollTop: 5000, height: 500 })).toMatchObject({ first: 9, to: 10 });
});

const LIST = { count: 10_000, rowPx: 25, height: 512 };
const slots = (rows: DrawnRows): number[] =>
  Array.from({ length: rows.to - rows.from }, (_, offset) => slotOf(rows.from + offset, rows));

test("however one scrolls, each row has an element of its own", () => {
  let before: DrawnRows | undefined;
  for (const scrollTop of [0, 7, 30, 500, 90_000, 89_000, 89_010, 249_488, 0]) {
    before = drawnRows({ ...LIST, scrollTop }, before);
    expect(new Set(slots(before)).size).toBe(before.to - before.from);
    expect(before.to - before.from).toBeLessThanOrEqual(before.pool);
    expect(before.from).toBeLessThanOrEqual(before.first);
    expect(before.to).toBeGreaterThanOrEqual(before.last);
  }
});

test("rows that stay on screen keep their elements", () => {
  const before = drawnRows({ ...LIST, scrollTop: 10_000 });
  const after = drawnRows({ ...LIST, scrollTop: 10_200 }, before);
  for (let index = after.from; index < before.to; index += 1) expect(slotOf(index, after)).toBe(slotOf(index, before));
});

test("after a jump elements stand in the order they stood in, and none is drawn that is hardly seen", () => {
  const start = drawnRows({ ...LIST, scrollTop: 10_000 });
  const first = drawnRows({ ...LIST, scrollTop: 50_000 }, start);
  const second = drawnRows({ ...LIST, scrollTop: 90_000 }, first);
  expect(slots(first)).toEqual(slots(start).slice(0, first.to - first.from));
  expect(slots(second)).toEqual(slots(first));
  expect(second.to - second.from).toBe(second.last - second.first + 4);
});
