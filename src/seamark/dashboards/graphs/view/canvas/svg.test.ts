import { expect, test } from "vitest";
import { GraphColours } from "./colours";
import { sceneToSvg } from "./svg";
import { graphOf, sceneOf } from "./testing";

const colours = new GraphColours((token) => (token === "--font" ? '"Segoe UI", sans-serif' : "#123456"));

test("draws every box, edge and name", () => {
  const graph = graphOf(
    [{ id: "block", isOpen: true }, { id: "a", parent: "block" }, { id: "b" }],
    [["a", "b", "8×64"]],
  );
  const svg = sceneToSvg(sceneOf(graph, { texts: ["1.2M", "0.06 ms", ""] }), colours);
  expect(svg.match(/<rect /g)).toHaveLength(1 + 3);
  for (const text of ["block", "a", "b", "1.2M", "0.06 ms", "8×64"]) expect(svg).toContain(`>${text}</text>`);
  expect(svg.match(/<path d="M/g)!.length).toBeGreaterThanOrEqual(2);
});

test("escapes names", () => {
  const graph = graphOf([{ id: "x", label: `<script>alert("1")&\u0000` }], []);
  const svg = sceneToSvg(sceneOf({ ...graph, title: "</title><script>" }), colours);
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("\u0000");
  expect(svg).toContain("&lt;script&gt;");
});

test("marks the selection, the trace and findings", () => {
  const graph = graphOf([{ id: "a" }, { id: "b" }], [["a", "b"]]);
  const plain = sceneToSvg(sceneOf(graph), colours);
  const marked = sceneToSvg(
    sceneOf(graph, { selected: "b", trace: new Map([["b", 0], ["a", 1]]), warnings: new Map([["b", "NaN gradient"]]) }), // prettier-ignore
    colours,
  );
  expect(plain).not.toContain("<circle");
  expect(marked.match(/<circle/g)).toHaveLength(1);
  expect(marked).toContain(">1</text>");
  expect(marked).toContain(">NaN gradient</text>");
  expect(marked.match(/<rect/g)!.length).toBe(plain.match(/<rect/g)!.length + 1);
});

test("draws a series as a stack that says how many it stands for", () => {
  const svg = sceneToSvg(sceneOf(graphOf([{ id: "h", type: "series" }], [])), colours);
  expect(svg.match(/<rect/g)).toHaveLength(1 + 3);
  expect(svg).toContain(">×5</text>");
});

test("has the scale or the names of its colours below the graph", () => {
  const scene = sceneOf(graphOf([{ id: "a" }], []));
  const legend = { title: "Parameters", low: "72", high: "194k", isLog: true, names: [] };
  const svg = sceneToSvg({ ...scene, legend }, colours);
  for (const text of ["Parameters", "72", "194k, log"]) expect(svg).toContain(`>${text}</text>`);
  expect(svg.match(/<rect/g)).toHaveLength(1 + 1 + 7);
  const heightOf = (text: string): number => Number(/ height="(\d+)"/.exec(text)![1]);
  expect(heightOf(svg)).toBeGreaterThan(heightOf(sceneToSvg(scene, colours)));
  const names = Array.from({ length: 12 }, (_, at) => ({ name: `operation ${at}`, token: "--run-1" }));
  const crowded = sceneToSvg({ ...scene, legend: { ...legend, names } }, colours);
  expect(crowded).toContain(">operation 0</text>");
  expect(crowded).toMatch(/>\+\d+<\/text>/);
});

test("draws edges of boxes at the side only while one end is selected", () => {
  const graph = graphOf([{ id: "a" }, { id: "lr", isAside: true }], [["lr", "a", "1"]]);
  const paths = (selected: string | null): number =>
    (sceneToSvg(sceneOf(graph, { selected }), colours).match(/<path/g) ?? []).length;
  expect(paths(null)).toBe(0);
  expect(paths("a")).toBe(2);
});
