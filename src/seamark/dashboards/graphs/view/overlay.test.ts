import { expect, test } from "vitest";
import { paintBoxes } from "./overlay";
import type { VisibleGraph } from "./wire";

/** Boxes beside one another, without edges. */
const graphOf = (...labels: string[]): VisibleGraph =>
  ({
    boxes: {
      id: labels,
      label: labels,
      type: labels.map(() => "op"),
      op: labels,
      parent: labels.map(() => -1),
      is_open: labels.map(() => false),
      count: labels.map(() => 1),
      repeat: labels.map(() => 1),
      structure: labels.map(() => 0),
      parameters: labels.map(() => 0),
      is_aside: labels.map(() => false),
    },
  }) as unknown as VisibleGraph;

test("times of a few microseconds are told apart", () => {
  const overlay = { values: [5, 131, 2000], names: null, texts: null, unit: "µs", steps: [], reason: "" };
  const { texts, legend } = paintBoxes(graphOf("a", "b", "c"), "time", overlay, String);
  expect(texts).toEqual(["5 µs", "0.131 ms", "2 ms"]);
  expect([legend!.low, legend!.high]).toEqual(["5 µs", "2 ms"]);
});
