import { describe, expect, it } from "vitest";
import type { OperatorRow, Operators, StackNode } from "../wire";
import { operatorColumns, treeColumns, type Measure } from "./columns";

const ROW: OperatorRow = {
  name: "aten::mm",
  activity: 7,
  calls: 4,
  self_ns: 100,
  total_ns: 200,
  device_self_ns: 300,
  device_total_ns: 400,
  tensor_cores: true,
  shapes: "[[8, 8]]",
  longest: 1,
};
const operators = (change: Partial<Operators> = {}): Operators => ({
  rows: [ROW],
  group: "name",
  total_self_ns: 1000,
  total_device_ns: 600,
  is_cut: false,
  ...change,
});
const cells = (found: Operators, measure: Measure, steps = 0): Record<string, unknown> =>
  Object.fromEntries(operatorColumns(found, measure, steps).map(({ id, value }) => [id, value(ROW)]));

describe("operatorColumns", () => {
  it("begins with the chosen time, and gives its share, mean and time of a step", () => {
    const measure: Measure = { side: "device", extent: "self" };
    const ids = operatorColumns(operators(), measure, 2).map(({ id }) => id);
    expect(ids.slice(0, 5)).toEqual(["name", "activity", "device_self", "share", "device_total"]);
    expect(cells(operators(), measure, 2)).toMatchObject({ share: 0.5, mean: 75, step: 150 });
    expect(cells(operators(), { side: "host", extent: "total" }, 2)).toMatchObject({ share: 0.2, mean: 50, step: 100 });
  });

  it("has no columns of the device in a trace of the host, and no steps without any", () => {
    const ids = Object.keys(cells(operators({ total_device_ns: null }), { side: "host", extent: "self" }));
    expect(ids).toEqual(["name", "activity", "host_self", "share", "host_total", "calls", "mean"]);
  });

  it("shows shapes when grouped by them", () => {
    const found = cells(operators({ group: "shapes" }), { side: "host", extent: "self" });
    expect(found["shapes"]).toBe("[[8, 8]]");
  });
});

describe("treeColumns", () => {
  const node = (parent: number, total_ns: number, device_ns: number | null): StackNode => ({
    name: "f",
    parent,
    calls: 1,
    total_ns,
    self_ns: 0,
    device_ns,
    activity: 2,
    longest: 0,
    backward_ns: null,
    backward_device_ns: null,
  });

  it("gives the share of all roots", () => {
    const nodes = [node(-1, 60, 10), node(0, 30, 10), node(-1, 40, 30)];
    const share = (side: "host" | "device"): readonly unknown[] => {
      const column = treeColumns({ nodes, is_cut: false }, side).find(({ id }) => id === "share");
      return nodes.map((each) => column?.value(each));
    };
    expect(share("host")).toEqual([0.6, 0.3, 0.4]);
    expect(share("device")).toEqual([0.25, 0.25, 0.75]);
  });

  it("has no device times in a trace of the host", () => {
    const ids = treeColumns({ nodes: [node(-1, 60, null)], is_cut: false }, "host").map(({ id }) => id);
    expect(ids).not.toContain("device_total");
  });
});
