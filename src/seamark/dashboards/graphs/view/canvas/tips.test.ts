import { expect, test } from "vitest";
import { edgeAt } from "./edge_at";
import { edgeBounds } from "./edges";
import { graphOf, sceneOf } from "./testing";
import { boxTip, edgeTip } from "./tips";

const graph = graphOf([{ id: "in" }, { id: "layer", type: "group" }], [["in", "layer", "8×4"]]);

test("a box says its operation, what it returns and what is not known of it", () => {
  const boxes = { ...graph.boxes, parameters: [0, null], has_unknown_parameters: [false, true] };
  const scene = { graph: { ...graph, boxes }, warnings: new Map([["layer", "NaN gradient"]]) };
  expect(boxTip(scene, 0)).toEqual({ title: "in", lines: ["op", "output 8×4"] });
  expect(boxTip(scene, 1).lines).toEqual(["op", "1 node", "parameters not known", "NaN gradient"]);
});

test("an edge says its ends, its number of edges and the shape", () => {
  const edges = { ...graph.edges, count: [2], bytes: [128] };
  expect(edgeTip({ graph: { ...graph, edges } }, 0)).toEqual({
    title: "in → layer",
    lines: ["2 edges", "8×4", "128 B"],
  });
});

test("the edge under the pointer is the nearest one within reach", () => {
  const { layout } = sceneOf(graph);
  const bounds = edgeBounds(layout);
  const [x, y] = [layout.points[0]!, (bounds[1]! + bounds[3]!) / 2];
  expect(edgeAt(layout, bounds, { x: x + 2, y }, 5)).toBe(0);
  expect(edgeAt(layout, bounds, { x: x + 20, y }, 5)).toBe(-1);
});
