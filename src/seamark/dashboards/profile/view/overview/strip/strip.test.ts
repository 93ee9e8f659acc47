import { expect, test } from "vitest";
import { ACTIVITY, type ResourceStrip, type StepStrip } from "../../wire";
import { idleTints, segmentsOf, typicalStep } from "./strip";

const strip = (name: string, starts: number[], durations: number[], activities: number[]): ResourceStrip => ({
  name,
  busy_ns: durations.reduce((total, value) => total + value, 0),
  starts,
  durations,
  activities,
});

test("intervals that cannot be told apart are drawn as one, other activities apart", () => {
  const { KERNEL_16, KERNEL_32 } = ACTIVITY;
  const busy = strip(
    "device_compute",
    [0, 101, 300, 305],
    [100, 99, 5, 95],
    [KERNEL_16, KERNEL_16, KERNEL_16, KERNEL_32],
  );
  expect(segmentsOf(busy, 1000, 200)).toEqual([
    { x: 0, width: 40, activity: KERNEL_16 },
    { x: 60, width: 1, activity: KERNEL_16 },
    { x: 61, width: 19, activity: KERNEL_32 },
  ]);
});

test("a million tiny intervals become at most as many as there are pixels", () => {
  const starts = Array.from({ length: 100_000 }, (_, index) => index * 10);
  const busy = strip(
    "copies",
    starts,
    starts.map(() => 5),
    starts.map(() => ACTIVITY.COPY),
  );
  expect(segmentsOf(busy, 1_000_000, 800).length).toBeLessThanOrEqual(800);
});

test("only idle time that can be seen is tinted", () => {
  const step = { name: "s", number: 1, start_ns: 0, duration_ns: 1000, note: "" };
  const idle = strip("device_idle", [0, 500], [100, 1], [0, 0]);
  const whole = { step, strips: [idle], idle_ns: 101 } as unknown as StepStrip;
  expect(idleTints(whole, 500)).toEqual([{ x: 0, width: 50, activity: 0 }]);
  expect(idleTints({ ...whole, strips: [] }, 500)).toEqual([]);
});

test("the typical step is the one nearest to the mean", () => {
  const steps = [100, 210, 400].map((duration_ns) => ({ duration_ns, note: "" }));
  expect(typicalStep(steps, 212)).toBe(1);
  expect(typicalStep([...steps, { duration_ns: 212, note: "incomplete" }], 212)).toBe(1);
  expect(typicalStep([], 0)).toBe(-1);
});
