import { expect, test } from "vitest";
import { NOTHING_MOVED, poolSize, reuseAfter, slotOf, visibleRange, type Reuse, type VisibleRange } from "./virtual";

test("only what is on screen is drawn, and a little more", () => {
  const range = (count: number, scrollTop: number) => visibleRange({ count, rowPx: 25, scrollTop, height: 500 });
  expect(range(10_000, 100_000)).toEqual({ from: 3992, to: 4028, first: 4000, last: 4020 });
  expect(range(3, 0)).toEqual({ from: 0, to: 3, first: 0, last: 3 });
  expect(range(0, 0)).toEqual({ from: 0, to: 0, first: 0, last: 0 });
});

test("a list that became shorter than the scroll position still shows its end", () => {
  expect(visibleRange({ count: 10, rowPx: 25, scrollTop: 5000, height: 500 })).toMatchObject({ first: 9, to: 10 });
});

const LIST = { count: 10_000, rowPx: 25, height: 512 };
const POOL = poolSize(LIST.height, LIST.rowPx);

interface Drawn {
  readonly range: VisibleRange;
  readonly reuse: Reuse;
}

function scroll(scrollTop: number, before?: Drawn): Drawn {
  const list = { ...LIST, scrollTop };
  const reuse = before ? reuseAfter(list, before.range, before.reuse) : NOTHING_MOVED;
  return { range: visibleRange(list, reuse.spare), reuse };
}
const slots = ({ range, reuse }: Drawn): number[] =>
  Array.from({ length: range.to - range.from }, (_, offset) => slotOf(range.from + offset, reuse.shift, POOL));

test("however one scrolls, each row has an element of its own", () => {
  let drawn: Drawn | undefined;
  for (const scrollTop of [0, 7, 30, 500, 90_000, 89_000, 89_010, 249_488, 0]) {
    drawn = scroll(scrollTop, drawn);
    const { from, to, first, last } = drawn.range;
    expect(new Set(slots(drawn)).size).toBe(to - from);
    expect(to - from).toBeLessThanOrEqual(POOL);
    expect(from).toBeLessThanOrEqual(first);
    expect(to).toBeGreaterThanOrEqual(last);
  }
});

test("rows that stay on screen keep their elements", () => {
  const before = scroll(10_000);
  const after = scroll(10_200, before);
  const slot = (index: number, { reuse }: Drawn): number => slotOf(index, reuse.shift, POOL);
  for (let index = after.range.from; index < before.range.to; index += 1)
    expect(slot(index, after)).toBe(slot(index, before));
});

test("after a jump elements keep their order, and few are drawn outside the screen", () => {
  const start = scroll(10_000);
  const first = scroll(50_000, start);
  const second = scroll(90_000, first);
  expect(slots(first)).toEqual(slots(start).slice(0, first.range.to - first.range.from));
  expect(slots(second)).toEqual(slots(first));
  expect(second.range.to - second.range.from).toBe(second.range.last - second.range.first + 4);
});
