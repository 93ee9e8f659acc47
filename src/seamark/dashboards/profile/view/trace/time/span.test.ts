import { expect, test } from "vitest";
import { clampSpan, fitSpan, MIN_SPAN_NS, panSpan, pinchSpan, revealSpan, zoomSpan } from "./span";

const LIMITS = { start: 0, end: 10_000 };

test("zooming keeps the time under the pointer at its pixel", () => {
  const zoomed = zoomSpan({ start: 2000, end: 4000 }, 0.5, 2500, LIMITS);
  expect(zoomed).toEqual({ start: 2250, end: 3250 });
  expect((2500 - zoomed.start) / 1000).toBe((2500 - 2000) / 2000);
});

test("zooming ends at the whole capture and at the shortest span", () => {
  expect(zoomSpan({ start: 2000, end: 4000 }, 100, 3000, LIMITS)).toEqual(LIMITS);
  const closest = zoomSpan({ start: 2000, end: 2040 }, 0.001, 2020, LIMITS);
  expect(closest.end - closest.start).toBe(MIN_SPAN_NS);
});

test("panning stops at the ends of the capture", () => {
  expect(panSpan({ start: 2000, end: 4000 }, -5000, LIMITS)).toEqual({ start: 0, end: 2000 });
  expect(panSpan({ start: 2000, end: 4000 }, 50_000, LIMITS)).toEqual({ start: 8000, end: 10_000 });
});

test("an empty capture has a span all the same", () => {
  expect(clampSpan({ start: 0, end: 0 }, { start: 0, end: 0 })).toEqual({ start: 0, end: MIN_SPAN_NS });
});

test("fitting leaves room on both sides", () => {
  expect(fitSpan({ start: 4000, end: 5000 }, LIMITS, 0.1)).toEqual({ start: 3900, end: 5100 });
});

test("revealing moves only if something is out of view", () => {
  const span = { start: 2000, end: 4000 };
  expect(revealSpan(span, { start: 2500, end: 2600 }, LIMITS)).toBe(span);
  expect(revealSpan(span, { start: 4100, end: 4200 }, LIMITS)).toEqual({ start: 2360, end: 4360 });
  expect(revealSpan(span, { start: 1000, end: 5000 }, LIMITS).start).toBeLessThan(1000);
});

test("two fingers apart zoom in, and together they pan", () => {
  const span = { start: 2000, end: 4000 };
  const apart = pinchSpan(span, 1000, [400, 600], [300, 700], LIMITS);
  expect(apart).toEqual({ start: 2500, end: 3500 });
  expect(pinchSpan(span, 1000, [400, 600], [500, 700], LIMITS)).toEqual({ start: 1800, end: 3800 });
});
