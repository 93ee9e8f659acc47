import { describe, expect, it, test } from "vitest";
import {
  baselineOf,
  checkUpload,
  chooseGraph,
  idList,
  profileOf,
  refText,
  stacked,
  summaryOf,
  unstackedAround,
  withOpen,
} from "./model";

const entry = (run: string, graph = "run_graph") => ({ run, graph, title: graph, version: "", profiles: [] });
const GRAPHS = [entry("a"), entry("b"), entry("b", "keras:keras")];
const CHOICE = { run: undefined, graph: undefined, focused: null, shown: [], beganAt: () => null };

describe("chooseGraph", () => {
  it("takes the graph that the address names", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "b", graph: "keras:keras" })).toBe(GRAPHS[2]);
  });
  it("takes the first graph of the named run", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "b" })).toBe(GRAPHS[1]);
  });
  it("takes no other graph for one that is gone", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "b", graph: "gone" })).toMatchObject({ run: "b", graph: "gone" });
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "gone" })).toMatchObject({ run: "gone", graph: "run_graph" });
    expect(chooseGraph([], { ...CHOICE, run: "gone" })).toBeNull();
  });
  it("prefers the run in focus, then the shown runs", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, focused: "b", shown: ["a"] })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, { ...CHOICE, shown: ["none", "b", "a"] })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, CHOICE)).toBe(GRAPHS[0]);
    expect(chooseGraph([], CHOICE)).toBeNull();
  });
  it("takes the newest of the shown runs", () => {
    const beganAt = (run: string): number | null => ({ a: 1, b: 2 })[run] ?? null;
    expect(chooseGraph(GRAPHS, { ...CHOICE, beganAt, shown: ["a", "b", "none"] })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, { ...CHOICE, beganAt, shown: ["a"] })).toBe(GRAPHS[0]);
    expect(chooseGraph(GRAPHS, { ...CHOICE, beganAt })).toBe(GRAPHS[1]);
  });
  it("shows a dropped file before the list has it", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, graph: "upload:7" })).toMatchObject({ run: "", graph: "upload:7" });
  });
});

test("run metadata that the graph does not have is not taken from the address", () => {
  const profiles = [
    { tag: "step 1", step: 1 },
    { tag: "step 2", step: 2 },
  ];
  expect(profileOf({ profiles }, "step 1")).toBe("step 1");
  expect(profileOf({ profiles }, "of another run")).toBe("step 2");
  expect(profileOf({ profiles }, undefined)).toBe("step 2");
  expect(profileOf({ profiles: [] }, "step 1")).toBe("");
  expect(profileOf(null, "step 1")).toBe("");
});

test("a file that is too large is not sent", () => {
  const format = { bytes: (count: number) => `${count / 2 ** 20} MiB` };
  expect(() => checkUpload({ name: "small.onnx", size: 512 * 2 ** 20 }, format)).not.toThrow();
  expect(() => checkUpload({ name: "large.onnx", size: 600 * 2 ** 20 }, format)).toThrow(
    "The file has 600 MiB, but a dropped file may have 512 MiB.",
  );
});

describe("ids in the address", () => {
  it("takes strings only", () => {
    expect(idList(["a/", 3, null, "b/"])).toEqual(["a/", "b/"]);
    expect(idList({ a: 1 })).toEqual([]);
  });
  it("names a baseline, or nothing if it is damaged", () => {
    expect(baselineOf(refText(GRAPHS[1]!))).toEqual({ run: "b", graph: "run_graph" });
    expect(baselineOf("[")).toBeNull();
    expect(baselineOf("[1]")).toBeNull();
    expect(baselineOf(undefined)).toBeNull();
  });
  it("opens and closes a group, also one that was opened with all below", () => {
    expect(withOpen(["a/"], "b/", true)).toEqual(["a/", "b/"]);
    expect(withOpen(["a/", "b/", "b/**"], "b/", false)).toEqual(["a/"]);
  });
});

it("describes a box in one line, for a phone", () => {
  const details = { id: "a/", op: "Linear", outputs: [{ shape: "" }, { shape: "8×4" }], parameters: 20, finding: "" };
  const line = (change: object): string => summaryOf({ ...details, ...change } as never, { short: String });
  expect(line({})).toBe("Linear · 8×4 · 20 parameters");
  expect(line({ finding: "x is NaN from step 3" })).toBe("x is NaN from step 3 · Linear · 8×4 · 20 parameters");
  expect(line({ op: "", outputs: [], parameters: 0 })).toBe("a/");
});

describe("stacks", () => {
  const boxes = {
    id: ["in", "h/", "h/0/", "h/1/", "h/2/"],
    parent: [-1, -1, 1, 1, 1],
    is_open: [false, true, false, true, false],
  };
  it("finds the group whose equal boxes are shown one by one, from itself or from a member", () => {
    expect(unstackedAround(boxes, ["h/"], "h/")).toBe("h/");
    expect(unstackedAround(boxes, ["h/"], "h/2/")).toBe("h/");
    expect(unstackedAround(boxes, ["h/2/"], "h/2/")).toBe("h/");
    expect(unstackedAround(boxes, ["/"], "in")).toBe("/");
    expect(unstackedAround(boxes, ["h/"], "in")).toBeNull();
    expect(unstackedAround(boxes, ["h/"], "gone")).toBeNull();
  });
  it("stacks the members again, also one that a search had taken out", () => {
    expect(stacked(boxes, ["h/", "h/2/", "other/"], "h/")).toEqual(["other/"]);
  });
});
