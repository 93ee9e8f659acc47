import { expect, test } from "vitest";
import { newTrack } from "../tracks/testing";
import { isShort, relationTitle, slicePlace, timeFields } from "./fields";

const DETAILS = {
  slice: 7,
  name: "sgemm",
  category: "kernel",
  activity: 8,
  track: 0,
  row: 0,
  depth: 0,
  start_ns: 98_264_000,
  duration_ns: 1_440_000,
  self_ns: 1_440_000,
  step: "417",
  parent: -1,
  same_name: 320,
  arguments: [],
  stack: [],
  links: [{ relation: "launched by", slice: 3, name: "cudaLaunchKernel", track: 1, start_ns: 97_864_000 }],
};

test("times count from the step, and a kernel tells how long it waited", () => {
  expect(timeFields(DETAILS, 0)).toEqual([
    { name: "Start", value: "98.264 ms" },
    { name: "Duration", value: "1.44 ms" },
    { name: "Queued", value: "400 µs after launch" },
    { name: "Step", value: "417" },
  ]);
  expect(timeFields({ ...DETAILS, self_ns: 1000, links: [] }, 98_000_000).map(({ name }) => name)).toEqual(["Start", "Duration", "Step", "Self"]); // prettier-ignore
});

test("a slice is named by its category and track", () => {
  expect(slicePlace(DETAILS, [newTrack(0, 0, 1, { name: "stream 7 " })])).toBe("kernel, stream 7");
  expect(slicePlace({ ...DETAILS, category: "" }, [])).toBe("");
  expect(relationTitle("operator")).toBe("Operator");
  expect(relationTitle("waits for")).toBe("Waits for");
  expect(isShort({ name: "grid", value: "[1, 1, 1]" })).toBe(true);
  expect(isShort({ name: "Input Dims", value: "x".repeat(40) })).toBe(false);
});
