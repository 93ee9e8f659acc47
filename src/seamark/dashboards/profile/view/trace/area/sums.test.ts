import { expect, test } from "vitest";
import { newTrack } from "../tracks/testing";
import { areaText, sumsCsv } from "./sums";

const SUMS = { rows: [], total_ns: 0, count: 30, tracks: 3, overlaps: true, device_idle_ns: 18.1e6 };

test("an area is described by its length, tracks, slices and idle time", () => {
  const area = { start: 0, end: 59.5e6, tracks: null };
  expect(areaText(area, SUMS)).toBe("59.5 ms on 3 tracks · 30 slices · device idle 18.1 ms");
  expect(areaText(area, { ...SUMS, device_idle_ns: null, tracks: 1 })).toBe("59.5 ms on 1 track · 30 slices");
  expect(areaText(area, null)).toBe("59.5 ms");
});

test("names are quoted in CSV", () => {
  const row = { name: 'a"b,c', activity: 1, track: 0, count: 2, total_ns: 50, self_ns: 40, longest: 1 };
  expect(sumsCsv([row], [newTrack(0, 0, 1)], 100).split("\n")[1]).toBe('"a""b,c","thread 0",2,50,40,0.5');
});
