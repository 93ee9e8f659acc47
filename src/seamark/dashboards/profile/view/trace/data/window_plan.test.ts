import { expect, test } from "vitest";
import { groupTracks } from "../tracks/groups";
import { layoutTracks } from "../tracks/layout";
import { newTrack } from "../tracks/testing";
import { planRows, planSpan, rangesOf } from "./window_plan";

const LIMITS = { start: 0, end: 1e12 };

test("a window is some three screens wide, and a pixel of it about one of the screen", () => {
  for (const length of [1e3, 3.3e5, 7.7e8, 1.9e10]) {
    const span = { start: 4.5e11, end: 4.5e11 + length };
    const plan = planSpan(span, 1232, LIMITS);
    const nsPerPx = (plan.end - plan.start) / plan.width;
    expect(nsPerPx / (length / 1232)).toBeGreaterThan(0.7);
    expect(nsPerPx / (length / 1232)).toBeLessThan(1.42);
    expect(plan.end - plan.start).toBeLessThan(6 * length);
    const cell = length * 0.5;
    expect(span.start - plan.start).toBeGreaterThan(cell * 0.9);
    expect(plan.end - span.end).toBeGreaterThan(cell * 0.9);
  }
});

test("small movements change no request", () => {
  const plan = planSpan({ start: 4.5e11 + 10, end: 4.5e11 + 1e6 }, 1232, LIMITS);
  expect(planSpan({ start: 4.5e11 + 5010, end: 4.5e11 + 1e6 + 5000 }, 1232, LIMITS)).toEqual(plan);
});

test("a window ends with the capture", () => {
  expect(planSpan({ start: 0, end: 100 }, 1000, { start: 0, end: 100 })).toMatchObject({ start: 0, end: 100 });
});

test("only rows near the screen are requested", () => {
  const tracks = Array.from({ length: 1000 }, (_, id) => newTrack(id, id, 1));
  const options = { pinned: ["t900"], collapsed: new Set<string>(), hidden: new Set<string>() };
  const layout = layoutTracks(groupTracks(tracks, []), options);
  const rows = planRows(layout, 0, 480);
  expect(rows).toMatch(/^0-\d+,900$/);
  expect(planRows(layout, 100, 480).split("-")[1]).not.toBe(undefined);
  expect(planRows(layout, 2400, 480)).not.toBe(rows);
});

test("rows are written as ranges", () => {
  expect(rangesOf([3, 1, 2, 7, 7])).toBe("1-3,7");
  expect(rangesOf([])).toBe("");
});
