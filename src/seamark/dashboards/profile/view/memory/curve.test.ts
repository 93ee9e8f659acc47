import { describe, expect, test } from "vitest";
import type { Memory, MemoryCurve, Step } from "../wire";
import { bytesRange, bytesTicks, chooseCurve, memoryFrame, peakText, readingAt, readingText, stepAt } from "./curve";

const curve = (change: Partial<MemoryCurve> = {}): MemoryCurve => ({
  name: "GPU 0",
  allocator: "",
  times_ns: [100, 200, 300],
  allocated: [10, 50, 20],
  reserved: [64, 64, 64],
  peak_bytes: 50,
  peak_ns: 200,
  limit_bytes: null,
  ...change,
});
const STEP: Step = { name: "step 1", number: 1, start_ns: 150, duration_ns: 100, note: "" };

test("memory at a time is what the last event before it left", () => {
  expect(readingAt(curve(), 99)).toBeNull();
  expect(readingAt(curve(), 250)).toEqual({ time: 200, allocated: 50, reserved: 64 });
  expect(readingAt(curve({ reserved: null }), 1000)).toEqual({ time: 300, allocated: 20, reserved: null });
});

test("a reading names the step it is in", () => {
  const reading = readingAt(curve(), 200)!;
  expect(readingText(reading, stepAt([STEP], 200), 100)).toBe("100 ns, step 1: 50 B allocated, 64 B reserved");
  expect(stepAt([STEP], 250)).toBeNull();
});

describe("the axis of bytes", () => {
  test("has the limit if the curve comes near it", () => {
    expect(bytesRange(curve({ peak_bytes: 60, limit_bytes: 100 })).to).toBeCloseTo(106);
    expect(bytesRange(curve({ limit_bytes: 10_000 })).to).toBeCloseTo(64 * 1.06);
  });

  test("is labelled in its own unit", () => {
    expect(bytesTicks({ from: 0, to: 2.1e9 }).map(({ label }) => label)).toContain("1 GB");
    expect(bytesTicks({ from: 0, to: 2.1e9 })[0]).toEqual({ value: 0, label: "0" });
  });
});

test("times of the axis are since the start of the trace", () => {
  const frame = memoryFrame({ width: 800, height: 200 }, { from: 1e9, to: 1.01e9 }, { from: 0, to: 10 }, 1e9);
  expect(frame.xTicks[0]!.label).toBe("0 ms");
  expect(frame.xTicks[0]!.at).toBeCloseTo(frame.left);
});

test("the highest device is shown unless the address names another", () => {
  const memory = {
    curves: [curve({ name: "CPU", peak_bytes: 900 }), curve(), curve({ name: "GPU 1", peak_bytes: 70 })],
  } as unknown as Memory;
  expect(chooseCurve(memory, undefined)?.name).toBe("GPU 1");
  expect(chooseCurve(memory, "CPU")?.name).toBe("CPU");
  expect(chooseCurve({ ...memory, curves: [] }, "CPU")).toBeNull();
});

test("a peak is told with the share of the limit", () => {
  expect(peakText(curve({ peak_bytes: 8e9, limit_bytes: 16e9 }), 0)).toBe("8.00 GB at 200 ns · 50% of 16.0 GB");
  expect(peakText(curve(), 0)).toBe("50 B at 200 ns");
});
