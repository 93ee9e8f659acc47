import { expect, test } from "vitest";
import type { Headline, Overview, Utilization } from "../../wire";
import {
  communicationParts,
  communicationTile,
  inputColumns,
  inputTile,
  memoryParts,
  memoryTile,
  stepMarks,
  stepTile,
  utilizationParts,
  utilizationTile,
} from "./tiles";

const MS = 1e6;
const step = (number: number, duration: number, input: number) => ({
  name: `step ${number}`,
  number,
  start_ns: 0,
  duration_ns: duration * MS,
  breakdown: { input: input * MS },
  note: "",
});

const HEADLINE: Headline = {
  step_mean_ns: 212.4 * MS,
  step_p5_ns: 203 * MS,
  step_p95_ns: 241.2 * MS,
  step_deviation_ns: 12.2 * MS,
  input_share: 0.1417,
  peak_memory_bytes: 71.2e9,
  memory_limit_bytes: 80e9,
  peak_memory_at: "backward",
  reasons: {},
};
const UTILIZATION: Utilization = {
  device_compute: 0.634,
  device_any: 0.745,
  sm_efficiency: null,
  occupancy: null,
  tensor_cores: null,
  host_cpu: null,
  exposed_communication_ns: 3 * 18.9 * MS,
  communication_ns: 3 * 30.5 * MS,
};
const OVERVIEW: Overview = {
  steps: [step(1, 203, 20), step(2, 212, 30), step(3, 250, 60)],
  source: "profiler_step",
  steps_text: "",
  mean: { device_compute_16: 118.2 * MS, collectives: 18.9 * MS, input: 30.1 * MS },
  headline: HEADLINE,
  utilization: UTILIZATION,
  environment: [],
  streams: [],
  notes: [],
};
const NOTHING: Overview = {
  ...OVERVIEW,
  steps: [],
  mean: {},
  headline: {
    ...HEADLINE,
    step_mean_ns: null,
    input_share: null,
    peak_memory_bytes: null,
    reasons: { peak_memory_bytes: "recorded without profile_memory" },
  },
  utilization: { ...UTILIZATION, device_compute: null, exposed_communication_ns: null, communication_ns: null },
};

test("the five numbers, each with its spread or limit", () => {
  expect(stepTile(OVERVIEW)).toMatchObject({
    title: "Step time, 3 steps",
    value: "212.4 ms",
    note: "p5 to p95 203 to 241 · sd\u00a012.2",
  });
  expect(utilizationTile(OVERVIEW)).toMatchObject({ value: "63.4%", note: "compute · 74.5% any kernel" });
  expect(inputTile(OVERVIEW)).toMatchObject({ value: "14.2%", note: "30.1 ms, waiting for input" });
  expect(communicationTile(OVERVIEW)).toMatchObject({ value: "8.9%", note: "18.9 of 30.5 ms not hidden" });
  expect(memoryTile(OVERVIEW)).toMatchObject({ value: "71.2 GB", note: "89% of 80.0 GB · at backward" });
});

test("the title counts the steps of the mean", () => {
  const steps = [...OVERVIEW.steps, { ...step(4, 20, 2), note: "incomplete" }];
  expect(stepTile({ ...OVERVIEW, steps }).title).toBe("Step time, 3 steps");
});

test("what the trace cannot give is n/a with the reason, never 0", () => {
  const tiles = [stepTile, utilizationTile, inputTile, communicationTile, memoryTile].map((make) => make(NOTHING));
  expect(tiles.map(({ value }) => value)).toEqual(Array(5).fill("n/a"));
  expect(tiles.every(({ reason }) => reason !== "")).toBe(true);
  expect(memoryTile(NOTHING).reason).toBe("recorded without profile_memory");
  expect(stepMarks(NOTHING)).toBeNull();
  expect([utilizationParts(NOTHING), communicationParts(NOTHING), memoryParts(NOTHING).parts]).toEqual([[], [], []]);
});

test("marks of steps lie inside the picture, outliers beyond the band", () => {
  const { marks, band, mean } = stepMarks(OVERVIEW)!;
  expect(marks.map(({ isOutlier }) => isOutlier)).toEqual([false, false, true]);
  expect(marks.every(({ at }) => at > 0 && at < 1)).toBe(true);
  expect(mean).toBeGreaterThan(band[0]);
  expect(mean).toBeLessThan(band[1]);
});

test("the input of thousands of steps keeps its largest values", () => {
  const steps = Array.from({ length: 5000 }, (_, index) => step(index, 200, index === 1234 ? 80 : 20));
  const columns = inputColumns({ ...OVERVIEW, steps });
  expect(columns.length).toBeLessThanOrEqual(60);
  expect(columns.filter((height) => height === 1)).toHaveLength(1);
});

test("the bars of utilization, communication and memory", () => {
  expect(utilizationParts(OVERVIEW).map(({ share }) => share.toFixed(3))).toEqual(["0.556", "0.089"]);
  expect(communicationParts(OVERVIEW)[0]!.share).toBeCloseTo(0.38, 2);
  expect(memoryParts(OVERVIEW)).toMatchObject({ parts: [{ share: 0.89 }], mark: 0.95 });
});
