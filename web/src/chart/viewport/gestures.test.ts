import { expect, test } from "vitest";
import { PanZoom, type PanZoomHost } from "./gestures";
import { centred, toPixel, type Viewport } from "./viewport";

const BOUNDS = { left: 0, right: 100, top: 0, bottom: 100 };
const SIZE = { width: 400, height: 400 };
const LIMITS = { size: SIZE, bounds: BOUNDS, minVisiblePx: 10, minUnitsPerPx: 0.01, maxUnitsPerPx: 100 };

function makeHost(options: Partial<PanZoomHost> = {}) {
  const shown = { view: centred(BOUNDS, SIZE, 1) as Viewport, fits: 0 };
  const host: PanZoomHost = {
    view: () => ({ view: shown.view, limits: LIMITS }),
    onview: (view) => (shown.view = view),
    onfit: () => (shown.fits += 1),
    ...options,
  };
  return { shown, gesture: new PanZoom(host) };
}

test("one pointer moves the plane, and only while it is down", () => {
  const { shown, gesture } = makeHost();
  gesture.move(1, { x: 10, y: 10 });
  gesture.press(1, { x: 10, y: 10 });
  gesture.move(1, { x: 30, y: 5 });
  gesture.release(1);
  gesture.move(1, { x: 300, y: 300 });
  expect([toPixel(shown.view.x, 0), toPixel(shown.view.y, 0)]).toEqual([170, 145]);
});

test("two fingers zoom, a third does nothing, and one that stays goes on moving", () => {
  const { shown, gesture } = makeHost();
  gesture.press(1, { x: 100, y: 200 });
  gesture.press(2, { x: 200, y: 200 });
  gesture.press(3, { x: 300, y: 300 });
  gesture.move(3, { x: 0, y: 0 });
  expect(shown.view.x.unitsPerPx).toBe(1);
  gesture.move(2, { x: 300, y: 200 });
  expect(shown.view.x.unitsPerPx).toBe(0.5);
  expect(toPixel(shown.view.x, -50)).toBeCloseTo(100);
  gesture.release(1);
  const before = toPixel(shown.view.x, 0);
  gesture.move(2, { x: 310, y: 200 });
  expect(toPixel(shown.view.x, 0) - before).toBeCloseTo(10);
});

test("the wheel zooms at the pointer, and with Ctrl only where the page scrolls", () => {
  const turn = { deltaY: -100, deltaMode: 0, ctrlKey: false };
  const { shown, gesture } = makeHost();
  expect(gesture.wheel({ x: 150, y: 150 }, turn)).toBe(true);
  expect(shown.view.x.unitsPerPx).toBeLessThan(1);
  expect(toPixel(shown.view.x, 0)).toBeCloseTo(150);
  const polite = makeHost({ wheel: "ctrl" });
  expect(polite.gesture.wheel({ x: 0, y: 0 }, turn)).toBe(false);
  expect(polite.gesture.wheel({ x: 0, y: 0 }, { ...turn, ctrlKey: true })).toBe(true);
});

test("keys pan, zoom and fit, and leave all others alone", () => {
  const { shown, gesture } = makeHost();
  expect(gesture.key("ArrowRight")).toBe(true);
  expect(toPixel(shown.view.x, 0)).toBe(90);
  expect(gesture.key("+")).toBe(true);
  expect(shown.view.x.unitsPerPx).toBeCloseTo(1 / 1.5);
  expect(gesture.key("0")).toBe(true);
  expect(shown.fits).toBe(1);
  expect(gesture.key("x")).toBe(false);
});

test("nothing is moved while there is nothing to see", () => {
  const { gesture } = makeHost({ view: () => null });
  gesture.press(1, { x: 0, y: 0 });
  gesture.move(1, { x: 5, y: 5 });
  expect([gesture.key("+"), gesture.wheel({ x: 0, y: 0 }, { deltaY: 1, deltaMode: 0, ctrlKey: false })]).toEqual([
    false,
    false,
  ]);
});
