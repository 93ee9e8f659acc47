import { expect, test } from "vitest";
import { Fingers } from "./fingers";
import { frameOf } from "./frame";
import { NO_LIMITS } from "./gesture";
import { LINEAR } from "./scale";

// The plot is 400 pixels wide, from 36 to 436, and shows 0 to 100.
const FRAME = frameOf({
  width: 446,
  height: 225,
  unit: "step",
  x: { from: 0, to: 100 },
  y: { from: 0, to: 1 },
  xScale: LINEAR,
  yScale: LINEAR,
  labelWidth: 0,
});
const at = (x: number, y = 100): { x: number; y: number } => ({ x, y });

test("two fingers zoom: the values below them stay below them", () => {
  const fingers = new Fingers();
  fingers.press(1, at(136), FRAME);
  fingers.press(2, at(236), FRAME);
  expect(fingers.move(2, at(336), NO_LIMITS)).toEqual({ x: { from: 12.5, to: 62.5 }, y: null });
  expect(fingers.release(2, FRAME)).toBe(false);
});

test("one finger pans a zoomed chart along x, and only points at one that shows everything", () => {
  const fingers = new Fingers();
  fingers.press(1, at(136), FRAME);
  expect(fingers.move(1, at(96), NO_LIMITS)).toBeNull();
  const limits = { x: { from: 0, to: 100 }, y: { from: 0, to: 1 } };
  expect(fingers.move(1, at(36, 150), limits)).toEqual({ x: { from: 25, to: 125 }, y: limits.y });
});

test("a tap is one finger that hardly moves", () => {
  const fingers = new Fingers();
  fingers.press(1, at(136), FRAME);
  fingers.move(1, at(137), NO_LIMITS);
  expect(fingers.release(1, FRAME)).toBe(true);
  fingers.press(1, at(136), FRAME);
  fingers.move(1, at(160), NO_LIMITS);
  expect(fingers.release(1, FRAME)).toBe(false);
});

test("when one of two fingers leaves, the other goes on from where it is", () => {
  const fingers = new Fingers();
  fingers.press(1, at(136), FRAME);
  fingers.press(2, at(236), FRAME);
  fingers.release(2, FRAME);
  expect(fingers.move(1, at(176), { x: { from: 0, to: 100 }, y: null })).toEqual({ x: { from: -10, to: 90 }, y: null });
});
