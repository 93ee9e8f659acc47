import { expect, test } from "vitest";
import {
  centred,
  distance,
  fit,
  fromPixel,
  pan,
  pinch,
  positionOf,
  shift,
  toPixel,
  transformOf,
  zoomAt,
  type Viewport,
} from "./viewport";

const SIZE = { width: 1000, height: 500 };
const at = (x: number | bigint, y: number, unitsPerPx: number): Viewport => ({
  x: { start: positionOf(x), unitsPerPx },
  y: { start: positionOf(y), unitsPerPx },
});
/** Nanoseconds since 1970 in the year 2026; 2^53 is 9e15. */
const NOW = 1_795_000_000_123_456_789n;

test("single nanoseconds of this year keep apart, and come back exactly", () => {
  const view = at(NOW, 0, 0.01);
  expect([0n, 1n, 7n].map((ns) => toPixel(view.x, NOW + ns))).toEqual([0, 100, 700]);
  expect(fromPixel(view.x, 700)).toEqual({ whole: NOW + 7n, fraction: 0 });
});

test("zooming from a year down to nanoseconds keeps the point under the pointer", () => {
  let view = at(NOW - 31_536_000_000_000_000n, 0, 31_536_000_000_000);
  const pointer = { x: toPixel(view.x, NOW), y: 0 };
  for (let step = 0; step < 55; step += 1) view = zoomAt(view, 2, pointer);
  expect(view.x.unitsPerPx).toBeLessThan(0.01);
  const start = fromPixel(view.x, pointer.x);
  // A double holds the distance of a year in nanoseconds to about four of them.
  expect(Math.abs(distance(start, positionOf(NOW)))).toBeLessThan(8);
});

test("positions are whole units and a fraction below one", () => {
  expect(positionOf(-1.25)).toEqual({ whole: -2n, fraction: 0.75 });
  expect(shift({ whole: 5n, fraction: 0.75 }, 0.5)).toEqual({ whole: 6n, fraction: 0.25 });
  expect(shift({ whole: 5n, fraction: 0.25 }, -0.5)).toEqual({ whole: 4n, fraction: 0.75 });
  const tiny = shift({ whole: 0n, fraction: 0 }, -1e-20);
  expect(tiny.fraction).toBeLessThan(1);
});

test("panning moves the picture with the pointer", () => {
  const view = pan(at(100, 0, 2), 30, -10);
  expect(toPixel(view.x, 100)).toBe(30);
  expect(toPixel(view.y, 0)).toBe(-10);
});

test("zooming along time leaves the other axis alone", () => {
  const view = zoomAt(at(0, 0, 1), 4, { x: 500, y: 100 }, undefined, "x");
  expect(view.x.unitsPerPx).toBe(0.25);
  expect(toPixel(view.x, 500)).toBe(500);
  expect(view.y.unitsPerPx).toBe(1);
});

test("what two fingers hold stays under them", () => {
  const before = [
    { x: 100, y: 100 },
    { x: 300, y: 100 },
  ] as const;
  const after = [
    { x: 200, y: 150 },
    { x: 600, y: 150 },
  ] as const;
  const view = pinch(at(0, 0, 1), before, after);
  expect([toPixel(view.x, 100), toPixel(view.x, 300), toPixel(view.y, 100)]).toEqual([200, 600, 150]);
});

test("fitting shows all of it in the middle", () => {
  const view = fit({ left: 0, right: 100, top: 0, bottom: 100 }, SIZE, 50);
  expect([toPixel(view.x, 0), toPixel(view.x, 100)]).toEqual([300, 700]);
  expect([toPixel(view.y, 0), toPixel(view.y, 100)]).toEqual([50, 450]);
  expect(fit({ left: 5, right: 5, top: 5, bottom: 5 }, SIZE).x.unitsPerPx).toBe(1);
  const trace = fit({ left: NOW, right: NOW + 10n, top: 0, bottom: 1 }, SIZE);
  expect(toPixel(trace.x, NOW + 10n) - toPixel(trace.x, NOW)).toBeCloseTo(1000, 9);
});

test("a limit keeps a part on screen, and the scale in its range", () => {
  const bounds = { left: 0, right: 100, top: 0, bottom: 100 };
  const limits = { size: SIZE, bounds, minVisiblePx: 40, minUnitsPerPx: 0.1, maxUnitsPerPx: 10 };
  const view = pan(centred(bounds, SIZE, 1), 1e6, -1e6, limits);
  expect(toPixel(view.x, 0)).toBe(960);
  expect(toPixel(view.y, 100)).toBe(40);
  expect(zoomAt(view, 1e9, { x: 0, y: 0 }, limits).x.unitsPerPx).toBe(0.1);
  expect(zoomAt(view, 1e-9, { x: 0, y: 0 }, limits).x.unitsPerPx).toBe(10);
});

test("marks that count from an origin near them are drawn where they are", () => {
  const view = at(NOW, 0, 0.5);
  const { scaleX, offsetX } = transformOf(view, { x: NOW + 100n, y: 0 });
  expect(7 * scaleX + offsetX).toBe(toPixel(view.x, NOW + 107n));
});
