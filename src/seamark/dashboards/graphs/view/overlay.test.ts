import { describe, expect, it } from "vitest";
import { logScale, paintBoxes } from "./overlay";
import type { Overlay, VisibleGraph } from "./wire";

const GRAPH = {
  boxes: {
    id: ["a/", "b", "c"],
    structure: [2, 0, 2],
    is_open: [false, false, true],
    parameters: [1_400_000, null, 12],
    has_unknown_parameters: [false, true, true],
  },
} as unknown as VisibleGraph;
const EMPTY: Overlay = { values: null, names: null, texts: null, unit: "", steps: [], findings: [], reason: "" };
const tint = (token: string): string => `tinted ${token}`;

describe("paintBoxes", () => {
  it("gives equal structures a colour, but not open groups", () => {
    const { fills, texts } = paintBoxes(GRAPH, "structure", null, tint);
    expect(fills).toEqual(["tinted --run-2", "", ""]);
    expect(texts).toEqual(["1.4M", "", "≥ 12"]);
  });
  it("is plain until the overlay arrives", () => {
    expect(paintBoxes(GRAPH, "parameters", null, tint).fills).toEqual(["", "", ""]);
  });
  it("colours numbers along the ramp and leaves out what has none", () => {
    const graph = { boxes: { ...GRAPH.boxes, is_open: [false, false, false] } } as unknown as VisibleGraph;
    const overlay = { ...EMPTY, values: [1000, null, 1], unit: "count" };
    const { fills, texts, legend } = paintBoxes(graph, "parameters", overlay, tint);
    expect(fills).toEqual(["--q7", "", "--q1"]);
    expect(texts).toEqual(["1k", "", "1"]);
    expect(legend).toMatchObject({ low: "1", high: "1k", isLog: true });
  });
  it("has a scale of what is painted: not of open groups, and none without a number", () => {
    const overlay = { ...EMPTY, values: [10, 20, 1000], unit: "count" };
    const { fills, texts, legend } = paintBoxes(GRAPH, "parameters", overlay, tint);
    expect(legend).toMatchObject({ low: "10", high: "20" });
    expect(fills[2]).toBe("");
    expect(texts[2]).toBe("1k");
    expect(paintBoxes(GRAPH, "health", { ...EMPTY, values: [0, null, 5] }, tint).legend).toBeNull();
  });
  it("ranks names by how many boxes have them, without mixed ones", () => {
    const overlay = { ...EMPTY, names: ["Add", "mixed", "Add"] };
    const { fills, legend } = paintBoxes(GRAPH, "op", overlay, tint);
    expect(fills).toEqual(["tinted --run-1", "", "tinted --run-1"]);
    expect(legend?.names).toEqual([{ name: "Add", token: "--run-1" }]);
  });
  it("says what is wrong at the innermost visible box", () => {
    const overlay = { ...EMPTY, values: [1, 2, 3], names: ["dead", "", "dead"], unit: "norm" };
    expect([...paintBoxes(GRAPH, "health", overlay, tint).warnings]).toEqual([["a/", "dead"]]);
  });
  it("marks differences", () => {
    const overlay = { ...EMPTY, names: ["added", "", "changed"] };
    const { differences, legend } = paintBoxes(GRAPH, "change", overlay, tint);
    expect(differences).toEqual(["added", "", "changed"]);
    expect(legend?.names.map(({ name }) => name)).toEqual(["added", "changed"]);
  });
});

describe("logScale", () => {
  it("is linear within a factor of ten, and copes with one value or none", () => {
    expect(logScale([1, 2, 8]).isLog).toBe(false);
    expect(logScale([5]).token(5)).toBe("--q7");
    expect(logScale([null, 0]).token(0)).toBe("");
  });
});
