import { expect, test } from "vitest";
import type { CounterEntry, CounterWindow } from "../../wire";
import { counterNote, showsLimit } from "./counters";

const column = (...values: number[]): Float64Array<ArrayBuffer> => new Float64Array(values);
const VALUES = { time: column(0, 1), min: column(0, 0), max: column(1e9, 2e9), last: column(0, 0) } as CounterWindow;
const entry = (unit: string, limit: number | null): CounterEntry => ({
  id: 0,
  name: "memory",
  process: "",
  unit,
  points: 2,
  limit,
});

test("the label names the most and the limit", () => {
  expect(counterNote(VALUES, entry("bytes", null))).toBe("2.00 GB");
  expect(counterNote(VALUES, entry("bytes", 8e9))).toBe("2.00 GB of 8.00 GB");
  expect(counterNote(VALUES, entry("", null))).toBe("2G");
  expect(counterNote(undefined, entry("bytes", 8e9))).toBe("");
});

test("a limit far above the curve is not drawn", () => {
  expect(showsLimit(70, 80)).toBe(true);
  expect(showsLimit(10, 80)).toBe(false);
  expect(showsLimit(10, null)).toBe(false);
});
