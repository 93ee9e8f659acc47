import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { schedulePaint } from "./paint_scheduler";

const frames: (() => void)[] = [];
const nextFrame = (): void => frames.shift()?.();
let now = 0;

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  while (frames.length > 0) nextFrame();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("paints run in order of request, once each, unless cancelled", () => {
  const done: string[] = [];
  const [first, second] = [() => void done.push("first"), () => void done.push("second")];
  schedulePaint(first);
  const cancel = schedulePaint(() => done.push("cancelled"));
  schedulePaint(second);
  schedulePaint(first);
  cancel();
  nextFrame();
  expect(done).toEqual(["first", "second"]);
  expect(frames).toHaveLength(0);
});

test("what takes long leaves the rest to the next frame", () => {
  const done: number[] = [];
  for (const card of [0, 1, 2])
    schedulePaint(() => {
      done.push(card);
      now += 30;
    });
  nextFrame();
  expect(done).toEqual([0]);
  nextFrame();
  nextFrame();
  expect(done).toEqual([0, 1, 2]);
});

test("an animation gets one paint a frame", () => {
  let painted = 0;
  const animate = (): void => {
    painted += 1;
    if (painted < 3) schedulePaint(animate);
  };
  schedulePaint(animate);
  nextFrame();
  expect(painted).toBe(1);
  nextFrame();
  nextFrame();
  expect(painted).toBe(3);
});

test("a picture that fails is reported and the others are painted", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  let painted = 0;
  schedulePaint(() => {
    throw new Error("broken");
  });
  schedulePaint(() => void (painted += 1));
  nextFrame();
  expect([painted, reported.mock.calls.length]).toEqual([1, 1]);
});
