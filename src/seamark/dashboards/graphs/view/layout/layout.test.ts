import { expect, test } from "vitest";
import { LayoutEngine } from "./layout";
import type { LayoutBox, LayoutRequest, LayoutResult } from "./types";

const box = (id: string, parent = -1, more: Partial<LayoutBox> = {}): LayoutBox => ({
  id,
  parent,
  isOpen: false,
  width: 120,
  height: 24,
  isAside: false,
  ...more,
});
const group = (id: string, parent = -1): LayoutBox => box(id, parent, { isOpen: true, width: 200 });

function requestOf(
  boxes: readonly LayoutBox[],
  edges: readonly (readonly [number, number])[],
  cacheKey = "",
): LayoutRequest {
  const [source, target] = [0, 1].map((end) => Int32Array.from(edges, (edge) => edge[end]!)) as [
    Int32Array,
    Int32Array,
  ];
  return { boxes, edges: { source, target }, cacheKey };
}

const layOut = (...args: Parameters<typeof requestOf>): LayoutResult => new LayoutEngine().layOut(requestOf(...args));
const rectOf = ({ rects }: LayoutResult, index: number) => ({
  left: rects[4 * index]!,
  top: rects[4 * index + 1]!,
  right: rects[4 * index]! + rects[4 * index + 2]!,
  bottom: rects[4 * index + 1]! + rects[4 * index + 3]!,
});
const pointsOf = ({ points, pointStarts }: LayoutResult, edge: number): [number, number][] =>
  Array.from({ length: pointStarts[edge + 1]! - pointStarts[edge]! }, (_, at) => {
    const point = 2 * (pointStarts[edge]! + at);
    return [points[point]!, points[point + 1]!];
  });

/** The same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function expectSound(boxes: readonly LayoutBox[], result: LayoutResult): void {
  expect(result.rects.every(Number.isFinite)).toBe(true);
  expect(result.points.every(Number.isFinite)).toBe(true);
  // Siblings sorted by their top: only those that overlap along y are compared.
  const order = boxes.map((_, index) => index).sort((a, b) => rectOf(result, a).top - rectOf(result, b).top);
  const open: number[] = [];
  const [overlapping, outside]: [number[], number[]] = [[], []];
  for (const index of order) {
    const rect = rectOf(result, index);
    const { parent } = boxes[index]!;
    for (let at = open.length - 1; at >= 0; at -= 1) {
      const other = rectOf(result, open[at]!);
      if (other.bottom <= rect.top) open.splice(at, 1);
      else if (boxes[open[at]!]!.parent === parent && other.left < rect.right && rect.left < other.right) overlapping.push(index); // prettier-ignore
    }
    open.push(index);
    const around =
      parent < 0 ? { left: 0, top: 0, right: result.width, bottom: result.height } : rectOf(result, parent);
    if (rect.left < around.left || rect.right > around.right) outside.push(index);
    if (rect.top < around.top || rect.bottom > around.bottom) outside.push(index);
  }
  expect(overlapping).toEqual([]);
  expect(outside).toEqual([]);
}

/** Boxes that a piece of the route goes through, apart from the groups it has to enter. Curves stay between their ends. */
function boxesBehind(boxes: readonly LayoutBox[], result: LayoutResult, edge: number): number[] {
  const points = pointsOf(result, edge);
  return boxes.flatMap((each, index) => {
    if (each.isOpen) return [];
    const { left, top, right, bottom } = rectOf(result, index);
    const isHit = points.some(([x, y], at) => {
      const [x0, y0] = points[at - 1] ?? [x, y];
      const [low, high] = [Math.min(y0, y), Math.max(y0, y)];
      return Math.max(x0, x) > left + 0.5 && Math.min(x0, x) < right - 0.5 && high > top + 0.5 && low < bottom - 0.5;
    });
    return isHit ? [index] : [];
  });
}

test("random nested graphs: siblings do not overlap, children are inside, and no edge runs behind a box", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomNumbers(seed);
    const boxes: LayoutBox[] = [];
    const openGroups = [-1];
    for (let index = 0; index < 4 + random(70); index += 1) {
      const parent = openGroups[random(openGroups.length)]!;
      if (random(6) === 0) openGroups.push(boxes.push(group(`g${index}`, parent)) - 1);
      else boxes.push(box(`b${index}`, parent, { width: 48 + random(200), height: 18 + random(30), isAside: random(25) === 0 })); // prettier-ignore
    }
    const leaves = boxes.flatMap((each, index) => (each.isOpen ? [] : [index]));
    if (leaves.length === 0) continue;
    const edges = Array.from({ length: random(3 * leaves.length) }, () => {
      const [a, b] = [leaves[random(leaves.length)]!, leaves[random(leaves.length)]!];
      return [a, b] as const;
    });
    const result = layOut(boxes, edges);
    expectSound(boxes, result);
    edges.forEach(([source, target], edge) => {
      expect(pointsOf(result, edge).length).toBeGreaterThanOrEqual(2);
      if (source === target || [source, target].some((end) => boxes[end]!.isAside)) return;
      expect(boxesBehind(boxes, result, edge), `seed ${seed}, edge ${edge}`).toEqual([]);
    });
  }
});

test("edges point downwards, apart from the one that closes a cycle", () => {
  const edges = [[0, 1], [1, 2], [2, 3], [3, 1], [0, 3], [2, 2], [0, 1]] as const; // prettier-ignore
  const result = layOut(["a", "b", "c", "d"].map((id) => box(id)), edges); // prettier-ignore
  const goesDown = edges.map((_, edge) => {
    const points = pointsOf(result, edge);
    return points[points.length - 1]![1] > points[0]![1];
  });
  expect(goesDown).toEqual([true, true, true, false, true, false, true]);
  expectSound(["a", "b", "c", "d"].map((id) => box(id)), result); // prettier-ignore
});

test("a chain is straight, whatever hangs on it", () => {
  // 0 → 1 → 2 → 3, and constants 4 and 5 into 2 and 3.
  const boxes = [100, 180, 64, 120, 90, 90].map((width, index) => box(`n${index}`, -1, { width }));
  const result = layOut(boxes, [[0, 1], [1, 2], [2, 3], [4, 2], [5, 3]]); // prettier-ignore
  const middles = [0, 1, 2, 3].map((index) => (rectOf(result, index).left + rectOf(result, index).right) / 2);
  expect(new Set(middles).size).toBe(1);
  // Constants sit right above their user.
  expect(rectOf(result, 4).top).toBe(rectOf(result, 1).top);
  expect(rectOf(result, 5).top).toBe(rectOf(result, 2).top);
});

test("branches are spread evenly around their source", () => {
  const boxes = ["c_attn", "q", "k", "v", "dot"].map((id) => box(id));
  const result = layOut(boxes, [[0, 1], [0, 2], [0, 3], [1, 4], [2, 4], [3, 4]]); // prettier-ignore
  const [source, q, k, v, end] = boxes.map((_, index) => rectOf(result, index).left);
  expect(k).toBe(source);
  expect(end).toBe(source);
  expect(k! - q!).toBe(v! - k!);
});

test("an edge over many rows is one upright line at the side", () => {
  const boxes = Array.from({ length: 40 }, (_, index) => box(`n${index}`));
  const chain = Array.from({ length: 39 }, (_, index) => [index, index + 1] as const);
  const result = layOut(boxes, [...chain, [0, 39]]);
  expect(pointsOf(result, 39).length).toBeLessThanOrEqual(6);
  expect(boxesBehind(boxes, result, 39)).toEqual([]);
});

test("edges go through the borders of groups to the inner box", () => {
  const boxes = [box("in"), group("g"), box("a", 1), box("b", 1), box("out")];
  const result = layOut(boxes, [[0, 2], [2, 3], [3, 4]]); // prettier-ignore
  const [inner, outer] = [pointsOf(result, 0), pointsOf(result, 2)];
  expect(inner[inner.length - 1]![1]).toBe(rectOf(result, 2).top);
  expect(outer[0]![1]).toBe(rectOf(result, 3).bottom);
  expect(outer[outer.length - 1]![1]).toBe(rectOf(result, 4).top);
});

test("edges from different boxes enter a group at different points, and the edges of one box at the same", () => {
  const boxes = [box("tokens"), box("positions"), group("g"), box("wte", 2), box("wpe", 2), box("add", 2)];
  const result = layOut(boxes, [[0, 3], [1, 4], [3, 5], [4, 5], [0, 5]]); // prettier-ignore
  const { top } = rectOf(result, 2);
  const crossing = (edge: number): number | undefined => pointsOf(result, edge).find(([, y]) => y >= top)?.[0];
  expect(crossing(0)).not.toBe(crossing(1));
  expect(crossing(0)).toBe(crossing(4));
});

test("edges that leave one inner box share a port, wherever they go", () => {
  const boxes = [group("g"), box("a", 0), box("b", 0), box("x"), box("y")];
  const result = layOut(boxes, [[1, 2], [2, 3], [2, 4]]); // prettier-ignore
  const { bottom } = rectOf(result, 0);
  const crossing = (edge: number): number | undefined => pointsOf(result, edge).findLast(([, y]) => y <= bottom)?.[0];
  expect(crossing(1)).toBe(crossing(2));
});

test("boxes that are set aside are in a column at the right", () => {
  const boxes = [box("a"), box("b"), box("lr", -1, { isAside: true }), box("step", -1, { isAside: true })];
  const result = layOut(boxes, [[0, 1], [2, 0], [2, 1], [3, 1]]); // prettier-ignore
  expect(rectOf(result, 2).left).toBeGreaterThan(rectOf(result, 1).right);
  expect(rectOf(result, 3).left).toBe(rectOf(result, 2).left);
  expectSound(boxes, result);
});

test("many boxes without edges become a grid, and so does a very wide row", () => {
  for (const edges of [[], Array.from({ length: 999 }, (_, leaf) => [0, leaf + 1] as const)]) {
    const boxes = Array.from({ length: 1000 }, (_, index) => box(`n${index}`));
    const { width, height } = layOut(boxes, edges);
    expect(width / height).toBeGreaterThan(0.5);
    expect(width / height).toBeLessThan(4);
  }
});

test("opening a group lays out only it and those around it", () => {
  const engine = new LayoutEngine();
  const closed = [group("g"), box("a", 0), box("b", 0), group("h"), box("c", 3), box("d", 3)];
  const edges = [[1, 2], [2, 4], [4, 5]] as const; // prettier-ignore
  expect(engine.layOut(requestOf(closed, edges)).changedGroups).toBe(3);
  expect(engine.layOut(requestOf(closed, edges)).changedGroups).toBe(0);
  // d is opened: it, h and the whole graph, but not g.
  const opened = [...closed.slice(0, 5), group("d", 3), box("e", 5)];
  expect(engine.layOut(requestOf(opened, [[1, 2], [2, 4], [4, 6]])).changedGroups).toBe(3); // prettier-ignore
  expect(engine.layOut(requestOf(opened, [[1, 2], [2, 4], [4, 6]], "another graph")).changedGroups).toBe(4); // prettier-ignore
});

test("opening a group keeps the order of everything and moves nothing above it", () => {
  const engine = new LayoutEngine();
  const boxes = ["in", "a", "b", "c", "join", "out"].map((id) => box(id));
  const edges = [[0, 1], [0, 2], [0, 3], [1, 4], [2, 4], [3, 4], [4, 5]] as const; // prettier-ignore
  const before = engine.layOut(requestOf(boxes, edges));
  const opened = boxes.map((each) => (each.id === "b" ? group("b") : each)).concat(box("x", 2), box("y", 2));
  const outside = edges.map(([a, b]): [number, number] => [a === 2 ? 7 : a, b === 2 ? 6 : b]);
  const after = engine.layOut(requestOf(opened, [...outside, [6, 7]]));
  for (const index of [0, 1, 2, 3]) expect(rectOf(after, index).top).toBe(rectOf(before, index).top);
  for (const index of [4, 5]) expect(rectOf(after, index).top).toBeGreaterThan(rectOf(before, index).top);
  const order = (result: LayoutResult): number[] => [1, 2, 3].sort((a, b) => rectOf(result, a).left - rectOf(result, b).left); // prettier-ignore
  expect(order(after)).toEqual(order(before));
});

const random = randomNumbers(3);
const HOSTILE: [string, number, (readonly [number, number])[]][] = [
  ["a chain of 10,000", 10_000, Array.from({ length: 9999 }, (_, index) => [index, index + 1] as const)],
  ["a source of 5,000", 5001, Array.from({ length: 5000 }, (_, leaf) => [0, leaf + 1] as const)],
  ["a sink of 5,000", 5001, Array.from({ length: 5000 }, (_, leaf) => [leaf + 1, 0] as const)],
  ["10,000 random edges", 5000, Array.from({ length: 10_000 }, () => [random(5000), random(5000)] as const)],
  ["5,000 boxes without edges", 5000, []],
];

// Each takes about a tenth of a second; anything quadratic would exceed the time limit of a test.
test.each(HOSTILE)("hostile sizes: %s", (_, count, edges) => {
  const boxes = Array.from({ length: count }, (_, index) => box(`n${index}`));
  expectSound(boxes, layOut(boxes, edges));
});

test("groups in groups, 2,000 deep", () => {
  const boxes = Array.from({ length: 2000 }, (_, index) => group(`g${index}`, index - 1));
  boxes.push(box("a", 1999), box("b"));
  const result = layOut(boxes, [[2000, 2001]]);
  expectSound(boxes, result);
  expect(pointsOf(result, 0).length).toBeGreaterThanOrEqual(2);
});
