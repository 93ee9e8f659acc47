import { expect, test } from "vitest";
import { layoutFlame, pathTo } from "./layout";

const node = (name: string, parent: number, total_ns: number) => ({
  name,
  parent,
  calls: 1,
  total_ns,
  self_ns: 0,
  device_ns: null,
  activity: 1,
  longest: 0,
  backward_ns: null,
  backward_device_ns: null,
});
const TREE = {
  nodes: [node("forward", -1, 60), node("conv", 0, 20), node("linear", 0, 30), node("backward", -1, 40)],
  is_cut: false,
};

test("bars lie below their parent, the widest first", () => {
  const bars = layoutFlame(TREE, -1, 0.01).sort((a, b) => a.node - b.node);
  expect(bars).toEqual([
    { node: 0, left: 0, width: 0.6, depth: 0 },
    { node: 1, left: 0.3, width: 0.2, depth: 1 },
    { node: 2, left: 0, width: 0.3, depth: 1 },
    { node: 3, left: 0.6, width: 0.4, depth: 0 },
  ]);
});

test("one node can fill the width, and narrow bars are left out", () => {
  expect(layoutFlame(TREE, 2, 0.01)).toEqual([{ node: 2, left: 0, width: 1, depth: 0 }]);
  expect(layoutFlame(TREE, -1, 0.25).map((bar) => bar.node)).not.toContain(1);
  expect(layoutFlame({ nodes: [], is_cut: false }, -1, 0)).toEqual([]);
});

test("the path leads from the root to the node", () => {
  expect(pathTo(TREE, 2)).toEqual([0, 2]);
});
