import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { GraphViewport } from "./graph_viewport.svelte";
import type { Scene } from "./scene";
import { graphOf, sceneOf } from "./testing";

const chain = (length: number): Scene => {
  const ids = Array.from({ length }, (_, index) => `n${index}`);
  return sceneOf(graphOf(ids.map((id) => ({ id })), ids.slice(1).map((id, index) => [ids[index]!, id] as const))); // prettier-ignore
};

function viewportOf(scene: Scene): GraphViewport {
  const viewport = new GraphViewport();
  viewport.size = { width: 800, height: 600 };
  viewport.show(scene);
  return viewport;
}

const pixelOf = ({ visible }: GraphViewport, { graph, layout }: Scene, id: string): [number, number] => {
  const box = graph.boxes.id.indexOf(id);
  return [
    (layout.rects[4 * box]! - visible.left) * visible.zoom,
    (layout.rects[4 * box + 1]! - visible.top) * visible.zoom,
  ];
};

test("a small graph is shown at 100%, in the middle", () => {
  const scene = chain(2);
  const { visible, zoom } = viewportOf(scene);
  expect(zoom).toBe(1);
  expect((visible.left + visible.right) / 2).toBeCloseTo(scene.layout.width / 2, 0);
});

test("a large graph is shown from its top, with names that can be read; fitting shows all of it", () => {
  const scene = chain(60);
  const viewport = viewportOf(scene);
  expect(viewport.zoom).toBeCloseTo(0.8);
  expect(viewport.visible.top).toBeLessThan(0);
  viewport.fit();
  expect(viewport.visible.bottom).toBeGreaterThan(scene.layout.height);
});

test("an opened box keeps its top and moves nothing above it, and another graph begins at its top", () => {
  const closed = sceneOf(graphOf([{ id: "a" }, { id: "g", type: "group" }, { id: "z" }], [["a", "g"], ["g", "z"]])); // prettier-ignore
  const opened = sceneOf(
    graphOf(
      [{ id: "a" }, { id: "g", isOpen: true }, { id: "z" }, { id: "x", parent: "g" }, { id: "y", parent: "g" }],
      [["a", "x"], ["x", "z"], ["a", "y"]], // prettier-ignore
    ),
    { anchor: "g" },
  );
  const viewport = viewportOf(closed);
  viewport.zoomBy(1.7);
  const before = { a: pixelOf(viewport, closed, "a"), g: pixelOf(viewport, closed, "g") };
  viewport.show(opened);
  const after = { a: pixelOf(viewport, opened, "a"), g: pixelOf(viewport, opened, "g") };
  expect(after.a[0]).toBeCloseTo(before.a[0], 6);
  expect(after.a[1]).toBeCloseTo(before.a[1], 6);
  expect(after.g[1]).toBeCloseTo(before.g[1], 6);
  viewport.show({ ...opened, key: "another graph" });
  expect(viewport.zoom).toBe(1);
});

test("a box that is in view is not moved to the middle; one that is not comes into view", () => {
  const scene = chain(60);
  const viewport = viewportOf(scene);
  const first = viewport.view;
  viewport.reveal("n1");
  expect(viewport.view).toBe(first);
  viewport.reveal("n50");
  const [x, y] = pixelOf(viewport, scene, "n50");
  expect(x > 0 && x < 800 && y > 0 && y < 600).toBe(true);
});

test("a box that is not laid out yet comes into view when it is", () => {
  const viewport = viewportOf(chain(20));
  viewport.reveal("n55");
  const scene = chain(60);
  viewport.show(scene);
  const [, y] = pixelOf(viewport, scene, "n55");
  expect(y > 0 && y < 600).toBe(true);
});

test("an effect that reveals the selected box does not hold the graph when a person moves it", () => {
  const viewport = viewportOf(chain(60));
  let runs = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      runs += 1;
      viewport.reveal("n1");
    });
  });
  flushSync();
  viewport.centre(0, 3000);
  flushSync();
  expect(runs).toBe(1);
  expect(viewport.visible.top).toBeGreaterThan(1000);
  stop();
});

test("a fitted graph is fitted again when the details take some of its room, unless a person has moved it", () => {
  const scene = { ...chain(2), selected: "n1" };
  const viewport = viewportOf(scene);
  const middle = (): number => pixelOf(viewport, scene, "n1")[0] + (scene.layout.rects[6]! * viewport.zoom) / 2;
  for (const width of [760, 600]) viewport.resize({ width, height: 600 });
  expect(middle()).toBeCloseTo(400, 0);
  viewport.refit();
  expect(middle()).toBeCloseTo(300, 0);
  viewport.resize({ width: 800, height: 600 });
  viewport.centre(20, 20);
  const moved = viewport.view;
  viewport.refit();
  expect(viewport.view).toBe(moved);
});

test("a selected box stays in view when the details take its place, and moves no further", () => {
  const scene = { ...chain(2), selected: "n1" };
  const viewport = viewportOf(scene);
  const [before] = pixelOf(viewport, scene, "n1");
  viewport.resize({ width: 700, height: 600 });
  expect(pixelOf(viewport, scene, "n1")[0]).toBeCloseTo(before, 6);
  viewport.resize({ width: before + 20, height: 600 });
  const width = scene.layout.rects[6]!;
  expect(pixelOf(viewport, scene, "n1")[0]).toBeCloseTo(before + 20 - width - 24, 6);
});

test("a selected box that was out of view stays there", () => {
  const scene = { ...chain(60), selected: "n50" };
  const viewport = viewportOf(scene);
  const { top } = viewport.visible;
  viewport.resize({ width: 500, height: 600 });
  expect(viewport.visible.top).toBe(top);
});
