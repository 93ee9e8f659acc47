import { expect, test } from "vitest";
import { advance, formatTime, frameAt, lengthOf, nextFrame, startOf } from "./clock.svelte";

const durations = [100, 200, 100];

test("a time means a frame, its border the next one, and after the end the last one stays", () => {
  expect([0, 0.099, 0.1, 0.299, 0.3, 0.399, 0.4, 9].map((seconds) => frameAt(durations, seconds))).toEqual([
    0, 0, 1, 1, 2, 2, 2, 2,
  ]);
  expect(frameAt([], 1)).toBe(-1);
  expect([startOf(durations, 2), lengthOf(durations)]).toEqual([0.3, 0.4]);
  // Every frame begins where it is said to begin.
  const many = Array.from({ length: 300 }, (_, index) => 20 + (index % 7));
  for (let frame = 0; frame < many.length; frame += 1) expect(frameAt(many, startOf(many, frame))).toBe(frame);
});

test("at the end a clock begins anew or stops", () => {
  const at = { time: 0.9, seconds: 0.2, rate: 1, length: 1 };
  expect(advance({ ...at, loops: true }).time).toBeCloseTo(0.1);
  expect(advance({ ...at, loops: false })).toEqual({ time: 1, ended: true });
  expect(advance({ ...at, rate: 0.25, loops: true }).time).toBeCloseTo(0.95);
  expect(advance({ ...at, length: 0, loops: true })).toEqual({ time: 0.9, ended: false });
});

test("times read as people write them", () => {
  expect([0, 0.25, 61.04, 600].map(formatTime)).toEqual(["0:00.0", "0:00.2", "1:01.0", "10:00.0"]);
});

test("a step goes to the nearest moment at which a clip shows another frame", () => {
  const slow = { seconds: 0.9, starts: [0, 0.3, 0.6] };
  const quick = { seconds: 0.4, starts: [0, 0.2] };
  expect([0, 0.2, 0.3, 0.35, 0.6].map((time) => nextFrame([slow, quick], time, 1))).toEqual([0.2, 0.3, 0.6, 0.6, 0.6]);
  expect([0.6, 0.35, 0.3].map((time) => nextFrame([slow], time, -1))).toEqual([0.3, 0, 0]);
  expect(nextFrame([slow], 0, -1)).toBe(0);
  expect(nextFrame([{ seconds: 1, frameSecs: 0.1 }], 0.95, 1)).toBe(1);
  expect(nextFrame([{ seconds: 1 }], 0, 1)).toBe(0.04);
  expect(nextFrame([], 0.5, 1)).toBe(0.5);
});
