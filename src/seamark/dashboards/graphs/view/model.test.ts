import { describe, expect, it } from "vitest";
import { baselineOf, chooseGraph, idList, refText, withOpen } from "./model";

const entry = (run: string, graph = "run_graph") => ({ run, graph, title: graph, profiles: [] });
const GRAPHS = [entry("a"), entry("b"), entry("b", "keras:keras")];
const CHOICE = { run: undefined, graph: undefined, focused: null, shown: [] };

describe("chooseGraph", () => {
  it("takes the graph that the address names", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "b", graph: "keras:keras" })).toBe(GRAPHS[2]);
  });
  it("takes the first graph of the named run if it has no such graph", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "b", graph: "gone" })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, { ...CHOICE, run: "gone" })).toBe(GRAPHS[0]);
  });
  it("prefers the run in focus, then the shown runs", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, focused: "b", shown: ["a"] })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, { ...CHOICE, shown: ["none", "b", "a"] })).toBe(GRAPHS[1]);
    expect(chooseGraph(GRAPHS, CHOICE)).toBe(GRAPHS[0]);
    expect(chooseGraph([], CHOICE)).toBeNull();
  });
  it("shows a dropped file before the list has it", () => {
    expect(chooseGraph(GRAPHS, { ...CHOICE, graph: "upload:7" })).toMatchObject({ run: "", graph: "upload:7" });
  });
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
