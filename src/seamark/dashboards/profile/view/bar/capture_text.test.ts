import { expect, test } from "vitest";
import type { CaptureEntry } from "../wire";
import { captureIndex, captureLabel, captureTime, clockTime } from "./capture_text";

const at = (text: string): number => new Date(text).getTime() / 1000;
const entry = (name: string, time: number): CaptureEntry => ({ run: "a", name, time, hosts: [], is_remainder: false });

test("a capture is called by its time, in the clock of this machine", () => {
  const time = at("2026-11-14T14:31:08");
  expect(captureTime(time, new Date("2026-12-01"))).toBe("14 Nov, 14:31:08");
  expect(captureTime(time, new Date("2027-01-05"))).toBe("14 Nov 2026, 14:31:08");
  expect(clockTime(at("2026-01-02T03:04:05"))).toBe("03:04:05");
});

test("captures of the same second are told apart by their names", () => {
  const [a, b, c] = [entry("first", 1e9), entry("second", 1e9), entry("third", 2e9)];
  expect(captureLabel(a, [a, b, c])).toContain("· first");
  expect(captureLabel(c, [a, b, c])).not.toContain("·");
});

test("captures are counted from the oldest", () => {
  const list = [entry("c", 3), entry("b", 2), entry("a", 1)];
  expect(captureIndex(list[0]!, list)).toBe("3 of 3");
  expect(captureIndex(list[2]!, list)).toBe("1 of 3");
});
