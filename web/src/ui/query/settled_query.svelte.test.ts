import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SettledQuery } from "./settled_query.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("half a query waits for a pause, a whole one and that of a link do not", () => {
  const settled = new SettledQuery();
  settled.settle("lr <");
  expect(settled.value).toBe("lr <");
  settled.settle("lr < 1");
  settled.settle("lr < 1 and");
  expect(settled.value).toBe("lr < 1");
  settled.settle("lr < 1 and x");
  vi.advanceTimersByTime(300);
  expect(settled.value).toBe("lr < 1");
  settled.settle("lr < 1 and x == 2");
  expect(settled.value).toBe("lr < 1 and x == 2");
  settled.settle("x ==");
  vi.advanceTimersByTime(1000);
  expect(settled.value).toBe("x ==");
});
