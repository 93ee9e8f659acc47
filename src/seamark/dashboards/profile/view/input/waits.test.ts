import { expect, test } from "vitest";
import type { InputPipeline, InputStage, Step } from "../wire";
import { stageColumns } from "./columns";
import { stepLabel, summarizeWaits } from "./waits";

const step = (number: number | null): Step => ({ name: "epoch", number, start_ns: 0, duration_ns: 100, note: "" });
const pipeline = (waits: number[]): InputPipeline => ({ wait_ns_per_step: waits }) as unknown as InputPipeline;

test("waits are told as a mean, a share and the number of steps that wait", () => {
  expect(summarizeWaits(pipeline([20, 0, 10]), [step(1), step(2), step(3)])).toEqual({
    meanNs: 10,
    share: 0.1,
    waiting: 2,
    steps: 3,
  });
  const cut = { ...step(4), duration_ns: 900, note: "incomplete" };
  expect(summarizeWaits(pipeline([20, 0, 10, 900]), [step(1), step(2), step(3), cut])).toMatchObject({
    share: 0.1,
    steps: 3,
  });
  expect(summarizeWaits(pipeline([]), [])).toBeNull();
});

test("a step has its number, else its name", () => {
  expect(stepLabel(step(7))).toBe("7");
  expect(stepLabel(step(null))).toBe("epoch");
});

test("the bottleneck is named as such, shares are of all self time", () => {
  const stage = { name: "Map", self_ns: 30, is_bottleneck: true } as InputStage;
  const columns = stageColumns([stage, { ...stage, name: "Batch", self_ns: 10, is_bottleneck: false }]);
  expect(columns[0]!.value(stage)).toBe("Map (bottleneck)");
  expect(columns.find(({ id }) => id === "share")!.value(stage)).toBe(0.75);
});
