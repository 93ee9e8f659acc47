import { expect, test } from "vitest";
import { poolSize, visibleRange } from "./virtual";

test("only what is on screen is drawn, and a little more", () => {
  expect(visibleRange({ count: 10_000, rowPx: 25, scrollTop: 100_000, height: 500 })).toEqual({ from: 3992, to: 4028, first: 4000, last: 4020 });
  expect(visibleRange({ count: 3, rowPx: 25, scrollTop: 0, height: 500 })).toEqual({ from: 0, to: 3, first: 0, last: 3 });
  expect(visibleRange({ count: 0, rowPx: 25, scrollTop: 0, height: 500 })).toEqual({ from: 0, to: 0, first: 0, last: 0 });
});

test("a list that became shorter than the place scrolled to still shows its end", () => {
  expect(visibleRange({ count: 10, rowPx: 25, scrollTop: 5000, height: 500 })).toMatchObject({ first: 9, to: 10 });
});

test("there are always elements enough", () => {
  for (let scrollTop = 0; scrollTop < 1000; scrollTop += 7) {
    const { from, to } = visibleRange({ count: 10_000, rowPx: 25, scrollTop, height: 512 });
    expect(to - from).toBeLessThanOrEqual(poolSize(25, 512));
  }
});
