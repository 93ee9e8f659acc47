import { expect, test } from "vitest";
import { contrastOf, GraphColours } from "./colours";
import { drawScene } from "./draw";
import { bundlesOf, edgeLabels, traceEdge } from "./edges";
import { pngScale } from "./png";
import { PreparedGraph } from "./prepared_graph";
import { boxAt } from "./scene";
import { graphOf, sceneOf } from "./testing";
import { elide, textWidth } from "./text";
import { walk } from "./walk";

const LIGHT: Readonly<Record<string, string>> = {
  "--bg": "#f4f5f7",
  "--surface": "#ffffff",
  "--sunken": "#f0f2f5",
  "--text": "#14181f",
  "--text-3": "#626b79",
  "--q1": "#e2c27c",
  "--q7": "#23316b",
};

test("text on a fill has the ink with the higher contrast", () => {
  const colours = new GraphColours((token) => LIGHT[token] ?? token);
  expect(colours.fillOf("--q1", false).ink).toBe("#14181f");
  expect(colours.fillOf("--q7", false).ink).toBe("#ffffff");
  for (const fill of ["--q1", "--q7", "", "#777777", "#55938a"]) {
    const painted = colours.fillOf(fill, true);
    expect(contrastOf(painted.fill, painted.ink), fill).toBeGreaterThan(4.4);
  }
});

test("the name of a group that begins left of the screen stays on it", () => {
  const scene = sceneOf(graphOf([{ id: "group", isOpen: true }, ...["a", "b", "c", "d"].map((id) => ({ id, parent: "group" }))], [])); // prettier-ignore
  const { width, height } = scene.layout;
  const nameAt = (left: number): number => {
    const texts: [string, number][] = [];
    const pen = { rect: () => {}, path: () => {}, circle: () => {}, text: (x: number, _: number, text: string) => texts.push([text, x]) }; // prettier-ignore
    const colours = new GraphColours((token) => LIGHT[token] ?? "#000000");
    const visible = { left, top: 0, right: left + width, bottom: height, zoom: 1 };
    drawScene(pen as never, scene, new PreparedGraph(scene), colours, visible);
    return texts.find(([text]) => text === "group")![1];
  };
  const start = nameAt(0);
  expect(nameAt(150)).toBe(start + 150 - scene.layout.rects[0]!);
  expect(nameAt(width - 5)).toBeLessThan(width);
});

test("the word of a warning covers no other box", () => {
  const graph = graphOf([{ id: "top" }, { id: "left" }, { id: "right" }], [["top", "left"], ["top", "right"]]); // prettier-ignore
  const scene = sceneOf(graph, { warnings: new Map([["left", "NaN gradient"], ["right", "NaN gradient"]]) }); // prettier-ignore
  const words: number[] = [];
  const pen = { rect: () => {}, path: () => {}, circle: () => {}, text: (x: number, _: number, text: string) => text === "NaN gradient" && words.push(x) }; // prettier-ignore
  const colours = new GraphColours((token) => LIGHT[token] ?? "#000000");
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, zoom: 1 };
  drawScene(pen as never, scene, new PreparedGraph(scene), colours, all);
  const [x, , width] = scene.layout.rects.subarray(8, 11) as unknown as [number, number, number];
  expect(words).toEqual([x + width + 28]);
});

test("the word of a warning that reaches over the border of its group has a plate under it", () => {
  const graph = graphOf([{ id: "group", isOpen: true }, { id: "inner", parent: "group" }, { id: "outer" }], []);
  const colours = new GraphColours((token) => LIGHT[token] ?? "#000000");
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, zoom: 1 };
  const platesOf = (id: string): number => {
    const scene = sceneOf(graph, { warnings: new Map([[id, "NaN gradient"]]) });
    let plates = 0;
    const pen = { rect: (...[, , , height]: number[]) => (plates += Number(height === 18)), path: () => {}, circle: () => {}, text: () => {} }; // prettier-ignore
    drawScene(pen as never, scene, new PreparedGraph(scene), colours, all);
    return plates;
  };
  expect(platesOf("outer")).toBe(0);
  expect(platesOf("inner")).toBe(1);
});

test("the innermost box is under the pointer", () => {
  const scene = sceneOf(
    graphOf(
      [
        { id: "g", isOpen: true },
        { id: "a", parent: "g" },
      ],
      [],
    ),
  );
  const [x, y] = scene.layout.rects.subarray(4, 6) as unknown as [number, number];
  expect(boxAt(scene, x + 1, y + 1)).toBe(1);
  expect(boxAt(scene, scene.layout.rects[0]! + 2, scene.layout.rects[1]! + 2)).toBe(0);
  expect(boxAt(scene, -50, -50)).toBe(-1);
});

test("arrows walk along edges and between siblings", () => {
  const graph = graphOf(
    [{ id: "in" }, { id: "g", isOpen: true }, { id: "left", parent: "g" }, { id: "right", parent: "g" }, { id: "out" }],
    [["in", "left"], ["in", "right"], ["left", "out"], ["right", "out"]], // prettier-ignore
  );
  const scene = sceneOf(graph);
  const from = (id: string, key: Parameters<typeof walk>[2]): string | undefined =>
    graph.boxes.id[walk(scene, graph.boxes.id.indexOf(id), key)];
  expect(from("left", "ArrowUp")).toBe("in");
  expect(from("left", "ArrowDown")).toBe("out");
  expect(from("left", "ArrowRight")).toBe("right");
  expect(from("right", "ArrowLeft")).toBe("left");
  expect(from("right", "ArrowRight")).toBeUndefined();
  // An open group stands for what is in it.
  expect(from("g", "ArrowUp")).toBe("in");
  expect(from("g", "ArrowDown")).toBe("out");
});

test("shapes are printed where they change, once", () => {
  const graph = graphOf(
    [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "q" }, { id: "k" }, { id: "dot" }],
    [["a", "b", "8×64"], ["b", "c", "8×64"], ["c", "q", "8×32"], ["c", "k", "8×32"], ["q", "dot", "4×4"], ["k", "dot", "4×4"]], // prettier-ignore
  );
  expect(edgeLabels(graph, bundlesOf(graph))).toEqual([["8×64"], [], ["8×32"], [], ["4×4"], []]);
});

test("a bundle has its number of edges, their shape and bytes", () => {
  const graph = graphOf(
    [
      { id: "g", type: "group" },
      { id: "h", type: "group" },
    ],
    [["g", "h", "8×64"]],
  );
  const bundle = { ...graph, edges: { ...graph.edges, count: [3], bytes: [6000] } };
  expect(edgeLabels(bundle, bundlesOf(bundle))).toEqual([["3 edges · 8×64 · 6.00 kB", "8×64 · 6.00 kB", "8×64"]]);
});

test("level and upright pieces have round corners, others are curves", () => {
  const trace = (points: number[]): string => {
    const calls: string[] = [];
    const layout = { points: Float64Array.from(points), pointStarts: Int32Array.of(0, points.length / 2) };
    traceEdge(layout as never, 0, {
      moveTo: () => calls.push("M"),
      lineTo: () => calls.push("L"),
      quadraticCurveTo: () => calls.push("Q"),
      bezierCurveTo: () => calls.push("C"),
    });
    return calls.join("");
  };
  expect(trace([0, 0, 0, 50])).toBe("ML");
  expect(trace([0, 0, 20, 50])).toBe("MC");
  expect(trace([0, 0, 0, 50, 90, 50, 90, 100])).toBe("MLQLQL");
  // Nearly level: a curve would be a slanted line.
  expect(trace([0, 0, 300, 20])).toBe("MLQLQL");
});

test("names are shortened in the middle", () => {
  expect(elide("short", 100, 12, 400)).toBe("short");
  const name = elide("a_very_long_name_of_a_layer_0017", 100, 12, 400);
  expect(name).toMatch(/^a_ver.*….*017$/);
  expect(textWidth(name, 12, 400)).toBeLessThanOrEqual(100);
  expect(elide("anything", 1, 12, 400)).toBe("");
});

test("pictures of large graphs stay within what browsers can draw", () => {
  expect(pngScale(500, 500)).toBe(2);
  for (const [width, height] of [
    [30, 500_000],
    [20_000, 20_000],
  ] as const) {
    const scale = pngScale(width, height);
    expect(Math.max(width, height) * scale).toBeLessThanOrEqual(16_000);
  }
});

test("the name of a group stands beside the edges that enter it, and its class only where no edge is", () => {
  const label = "a_name_as_wide_as_half_of_it";
  const boxes = [{ id: "in" }, { id: "g", label, isOpen: true }, { id: "a", parent: "g" }];
  const scene = sceneOf(graphOf(boxes, [["in", "a"]])); // prettier-ignore
  const texts = new Map<string, number>();
  const pen = { rect: () => {}, path: () => {}, circle: () => {}, text: (x: number, _: number, text: string) => texts.set(text, x) }; // prettier-ignore
  const colours = new GraphColours((token) => LIGHT[token] ?? "#000000");
  const all = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, zoom: 1 };
  const drawn = (lines: readonly number[]): ReadonlyMap<string, number> => {
    texts.clear();
    const prepared = new PreparedGraph(scene);
    prepared.headerLines = () => lines;
    drawScene(pen as never, scene, prepared, colours, all);
    return texts;
  };
  const start = drawn([]).get(label)!;
  const classAt = drawn([]).size;
  expect(drawn([start + 20]).get(label)).toBe(start + 20 + 7);
  const wide = textWidth(label, 12, 600);
  expect(drawn([start + wide + 10]).get(label)).toBe(start);
  expect(drawn([start + wide + 10]).size).toBe(classAt - 1);
  const x = scene.layout.rects[8]! + scene.layout.rects[10]! / 2;
  expect(new PreparedGraph(scene).headerLines(1)).toEqual([Math.round(x)]);
});
