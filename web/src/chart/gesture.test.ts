import { expect, test } from "vitest";
import { frameOf, type Frame } from "./frame";
import { boxOf, NO_LIMITS, pan, wheelFactor, zoomAt, zoomToBox } from "./gesture";
import { LINEAR, type Scale } from "./scale";

const LOG: Scale = { kind: "log", constant: 1 };

function frame(extra: Partial<Frame> = {}): Frame {
  return frameOf({
    width: 446,
    height: 225,
    unit: "step",
    x: { from: 0, to: 100 },
    y: { from: 0, to: 1 },
    xScale: LINEAR,
    yScale: LINEAR,
    labelWidth: 0,
    ...extra,
  });
}

test("data and pixels map onto each other, y upwards", () => {
  const at = frame();
  expect([at.left, at.right, at.top, at.bottom]).toEqual([36, 436, 6, 206]);
  expect([at.toX(50), at.toY(1), at.toY(0)]).toEqual([236, 6, 206]);
  expect([at.fromX(236), at.fromY(106)]).toEqual([50, 0.5]);
});

test("a drag along one axis zooms that axis only, and a click none", () => {
  const at = frame();
  expect(boxOf(at, { x: 100, y: 50 }, { x: 102, y: 51 })).toBeNull();
  const flat = boxOf(at, { x: 136, y: 50 }, { x: 236, y: 55 })!;
  expect(zoomToBox(at, NO_LIMITS, flat)).toEqual({ x: { from: 25, to: 50 }, y: null });
  const tall = boxOf(at, { x: 140, y: 206 }, { x: 145, y: 106 })!;
  expect(zoomToBox(at, NO_LIMITS, tall)).toEqual({ x: null, y: { from: 0, to: 0.5 } });
});

test("a box that leaves the plot ends at its edge", () => {
  const at = frame();
  const box = boxOf(at, { x: 236, y: 106 }, { x: 9999, y: 9999 })!;
  expect(zoomToBox(at, NO_LIMITS, box)).toEqual({ x: { from: 50, to: 100 }, y: { from: 0, to: 0.5 } });
});

test("the wheel zooms around the pointer, evenly on a log axis, and leaves an automatic y alone", () => {
  expect(zoomAt(frame(), NO_LIMITS, { x: 236, y: 100 }, 0.5)).toEqual({ x: { from: 25, to: 75 }, y: null });
  const log = zoomAt(frame({ x: { from: 1, to: 10_000 }, xScale: LOG }), NO_LIMITS, { x: 236, y: 100 }, 0.5).x!;
  expect([log.from, log.to].map(Math.round)).toEqual([10, 1000]);
  expect(wheelFactor(-100, 0)).toBeLessThan(1);
  expect(wheelFactor(3, 1)).toBeGreaterThan(1);
});

test("panning keeps the point under the pointer", () => {
  expect(pan(frame(), 40, 20)).toEqual({ x: { from: -10, to: 90 }, y: { from: 0.1, to: 1.1 } });
});

test("the zoom stops where numbers run out of digits", () => {
  const deep = frame({ x: { from: 1e9, to: 1e9 + 1e-3 } });
  expect(zoomAt(deep, NO_LIMITS, { x: 236, y: 100 }, 1e-9).x).toEqual(deep.x);
});

test("long labels make room for themselves, and labels never touch", () => {
  const wide = frame({ y: { from: 1_234_566, to: 1_234_569 } });
  expect(wide.left).toBeGreaterThan(45);
  const narrow = frame({ width: 120, x: { from: 1_234_566, to: 1_234_569 } });
  expect(narrow.xTicks.length).toBeLessThanOrEqual(2);
});
