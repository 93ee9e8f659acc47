import { expect, test } from "vitest";
import { placeEdgeLabels } from "./edge_labels";
import { bundlesOf, edgeLabels } from "./edges";
import { Obstacles } from "./obstacles";
import { graphOf, sceneOf } from "./testing";
import { textWidth } from "./text";

test("long and short obstacles are found, whatever lies between", () => {
  const obstacles = new Obstacles();
  obstacles.add([100, -5000, 104, 90_000]);
  obstacles.add([-4000, 300, 70_000, 304]);
  obstacles.add([500, 500, 560, 524]);
  expect(obstacles.isFree([90, 80_000, 120, 80_012])).toBe(false);
  expect(obstacles.isFree([60_000, 290, 60_050, 302])).toBe(false);
  expect(obstacles.isFree([550, 510, 600, 522])).toBe(false);
  expect(obstacles.isFree([561, 510, 600, 522])).toBe(true);
  expect(obstacles.isFree([105, 80_000, 140, 80_012])).toBe(true);
});

test("a label stands beside its line and covers neither boxes, lines, borders nor other labels", () => {
  const groups = ["a", "b", "c", "d"].map((id) => ({ id, type: "group" as const, parent: "model" }));
  const graph = graphOf(
    [{ id: "model", isOpen: true }, ...groups],
    [["a", "b", "8×128×1024"], ["b", "c", "8×128×4096"], ["c", "d", "8×128×1024"], ["a", "d", "8×128×1024"], ["a", "c", "8×1"]], // prettier-ignore
  );
  const scene = sceneOf({ ...graph, edges: { ...graph.edges, count: [3, 1, 1, 1, 1] } });
  const placed = placeEdgeLabels(scene, edgeLabels(scene.graph, bundlesOf(scene.graph)));
  expect(placed.length).toBeGreaterThan(1);
  const rects = placed.map(({ x, y, text, align }) => {
    const left = align === "left" ? x : x - textWidth(text, 10, 400);
    return { left, right: left + textWidth(text, 10, 400), top: y - 6, bottom: y + 6 };
  });
  const { rects: boxes, points } = scene.layout;
  rects.forEach((one, at) => {
    for (let box = 1; box < groups.length + 1; box += 1) {
      const [x, y, wide, high] = boxes.subarray(4 * box, 4 * box + 4) as unknown as [number, number, number, number];
      expect(one.right <= x || one.left >= x + wide || one.bottom <= y || one.top >= y + high).toBe(true);
    }
    for (let point = 0; point < points.length; point += 2) {
      const [x, y] = [points[point]!, points[point + 1]!];
      expect(x <= one.left || x >= one.right || y <= one.top || y >= one.bottom).toBe(true);
    }
    expect(one.left).toBeGreaterThan(boxes[0]!);
    expect(one.right).toBeLessThan(boxes[0]! + boxes[2]!);
    for (const other of rects.slice(at + 1))
      expect(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top).toBe(true); // prettier-ignore
  });
});

test("where the whole label has no room a shorter one is written, or none", () => {
  const scene = sceneOf(graphOf([{ id: "g", isOpen: true }, { id: "a", parent: "g" }, { id: "b", parent: "g" }], [["a", "b", "8×64"]])); // prettier-ignore
  const [wide, wider] = ["8×64".padEnd(120, "x"), "8×64".padEnd(140, "x")];
  expect(placeEdgeLabels(scene, [[wider, "8×64"]]).map(({ text }) => text)).toEqual(["8×64"]);
  expect(placeEdgeLabels(scene, [[wider, wide]])).toEqual([]);
});
