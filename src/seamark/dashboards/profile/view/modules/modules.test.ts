import { describe, expect, it } from "vitest";
import type { StackNode } from "../wire";
import { hasDevice, moduleColumns } from "./columns";

const node = (parent: number, total_ns: number, device_ns: number | null): StackNode => ({
  name: "Linear_0",
  parent,
  calls: 2,
  total_ns,
  self_ns: 0,
  device_ns,
  activity: 4,
  longest: 0,
  backward_ns: null,
  backward_device_ns: null,
});
const cells = (nodes: readonly StackNode[]): readonly Record<string, unknown>[] =>
  nodes.map((each) =>
    Object.fromEntries(moduleColumns({ nodes, is_cut: false }, 4).map(({ id, value }) => [id, value(each)])),
  );

describe("moduleColumns", () => {
  it("compares modules by device time where there is one", () => {
    const nodes = [node(-1, 100, 40), node(0, 50, 10)];
    expect(hasDevice({ nodes, is_cut: false })).toBe(true);
    expect(cells(nodes)[1]).toMatchObject({ share: 0.25, mean: 5, step: 2.5, device_total: 10 });
  });

  it("compares them by host time else", () => {
    const nodes = [node(-1, 100, null), node(0, 50, null)];
    expect(hasDevice({ nodes, is_cut: false })).toBe(false);
    expect(cells(nodes)[1]).toMatchObject({ share: 0.5, mean: 25, step: 12.5 });
    expect(cells(nodes)[1]).not.toHaveProperty("device_total");
  });

  it("shows the backward pass where it is linked to modules", () => {
    const nodes = [{ ...node(-1, 100, 40), backward_ns: 70, backward_device_ns: 60 }];
    expect(cells(nodes)[0]).toMatchObject({ host_backward: 70, device_backward: 60 });
    expect(cells([node(-1, 100, 40)])[0]).not.toHaveProperty("host_backward");
  });
});
