import { expect, test } from "vitest";
import { cutOffText, readingShare, readingText } from "./reading";

const state = (bytes_read: number, bytes_total: number) =>
  ({ state: "reading", bytes_read, bytes_total, problem: "" }) as const;

test("megabytes read so far", () => {
  expect(readingText(state(420e6, 2048e6))).toBe("420 of 2,048 MB");
  expect(readingText(state(1.25e6, 4e6))).toBe("1.3 of 4 MB");
  expect(readingShare(state(420e6, 2100e6))).toBe(0.2);
  expect(readingShare(state(0, 0))).toBe(0);
});

test("the badge of a cut-off trace says where it ends, if that is known", () => {
  expect(cutOffText(["3 slices have a negative duration", "the trace ends in step 423: the file is cut off"])).toBe(
    "trace ends in step 423",
  );
  expect(cutOffText(["the file is cut off"])).toBe("trace is cut off");
  expect(cutOffText(["3 slices have a negative duration"])).toBe("");
});
