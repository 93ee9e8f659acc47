import { expect, test } from "vitest";
import { SHOWN, type Style } from "./paint/scene";
import { planOf } from "./plan";
import type { SeriesSet } from "./series";
import type { ChartSpec } from "./spec";
import { clippedTexts, drawing, surroundings, type SvgColours } from "./svg";
import { setOf } from "./testing";

const COLOURS: SvgColours = { surface: "#fff", text: "#666", strong: "#000", grid: "#eee", base: "#ccc", warn: "#fa0" };

function styleFor(count: number, highlight: number[] = []): Style {
  return {
    mode: "auto",
    colours: Uint32Array.from({ length: count }, (_, index) => 0x102030 + index),
    flags: new Uint8Array(count).fill(SHOWN),
    highlight,
    alpha: 0,
    underlay: highlight.length > 0 ? highlight : [...Array(count).keys()],
    markers: true,
    fillAlpha: 0.24,
    look: { lineWidth: 1.4, thinWidth: 1, focusWidth: 2, rawAlpha: 0.22, dimAlpha: 0.22, surface: 0, ramp: [] },
  };
}

function drawn(set: SeriesSet, extra: Partial<ChartSpec> = {}, highlight: number[] = []): string {
  const spec: ChartSpec = {
    label: "",
    set,
    theme: "light",
    styleOf: () => ({ token: "#000", dashed: false, live: false }),
    ...extra,
  };
  return drawing(planOf(spec, { width: 446, height: 225 }, () => styleFor(set.series.length, highlight))!);
}

test("a line goes through its points, and is broken where a value is missing", () => {
  const svg = drawn(setOf([0, 1, NaN, 1, 0]), { limits: { x: { from: 0, to: 4 }, y: { from: 0, to: 1 } } });
  expect(svg).toContain('d="M0 200L100 0M300 0L400 200"');
});

test("a raw line lies behind a smoothed one, and an envelope in its place where rows are downsampled", () => {
  const set = setOf([0, 1]);
  const smooth = { ...set, curve: Float64Array.of(0.2, 0.8) };
  expect(drawn(smooth)).toContain('opacity="0.22"');
  const downsampled = drawn({ ...smooth, low: Float64Array.of(0, 0.5), high: Float64Array.of(0.5, 1) });
  expect([downsampled.includes('opacity="0.24"'), downsampled.includes('opacity="0.22"')]).toEqual([true, false]);
});

test("the focused line comes last and the others are dimmed", () => {
  const svg = drawn(setOf([0, 1], [1, 0]), {}, [0]);
  expect(svg.indexOf("#102031")).toBeLessThan(svg.lastIndexOf('stroke="#102030"'));
  expect(svg).toContain('stroke-width="2"');
});

test("NaN is marked on the baseline", () => {
  expect(drawn({ ...setOf([0, NaN, 1]), marks: Uint32Array.of(1) })).toContain("l4.5 8h-9z");
});

test("axes are labelled, and a finding is tinted from its step on", () => {
  const spec: ChartSpec = {
    label: "",
    set: setOf([0, 1]),
    theme: "light",
    styleOf: () => ({ token: "#000", dashed: false, live: false }),
  };
  const svg = surroundings(
    planOf(spec, { width: 446, height: 225 }, () => styleFor(1))!,
    COLOURS,
    [0.5, 99],
  );
  expect(svg).toContain(">0.5</text>");
  expect(svg.match(/opacity=".07"/g)).toHaveLength(1);
});

test("an export says how many runs are outside of it", () => {
  const spec: ChartSpec = {
    label: "",
    set: setOf([0, 1], [7, 8]),
    theme: "light",
    styleOf: () => ({ token: "#000", dashed: false, live: false }),
    limits: { x: null, y: { from: 0, to: 2 } },
  };
  const plan = planOf(spec, { width: 446, height: 225 }, () => styleFor(2))!;
  expect(clippedTexts(plan, COLOURS, "run")).toContain(">↑ 1 run above</text>");
});

test("nothing to draw gives no plan", () => {
  const spec: ChartSpec = {
    label: "",
    set: null,
    theme: "light",
    styleOf: () => ({ token: "", dashed: false, live: false }),
  };
  expect(planOf(spec, { width: 10, height: 10 }, () => styleFor(0))).toBeNull();
});
