/** Small graphs for tests. */

import { LayoutEngine } from "../layout/layout";
import type { BoxType, VisibleGraph } from "../wire";
import { layoutRequestOf, type Scene } from "./scene";

export interface TestBox {
  readonly id: string;
  readonly label?: string;
  readonly type?: BoxType;
  readonly parent?: string;
  readonly isOpen?: boolean;
  readonly isAside?: boolean;
}

export function graphOf(
  boxes: readonly TestBox[],
  edges: readonly (readonly [source: string, target: string, shape?: string])[],
): VisibleGraph {
  const index = new Map(boxes.map(({ id }, box) => [id, box]));
  return {
    title: "test",
    format: "torch.export",
    nodes: boxes.length,
    edge_count: edges.length,
    parameters: 0,
    has_unknown_parameters: false,
    boxes: {
      id: boxes.map(({ id }) => id),
      label: boxes.map(({ id, label }) => label ?? id),
      type: boxes.map(({ type, isOpen }) => type ?? (isOpen ? "group" : "op")),
      op: boxes.map(() => "op"),
      parent: boxes.map(({ parent }) => (parent === undefined ? -1 : index.get(parent)!)),
      is_open: boxes.map(({ isOpen }) => isOpen ?? false),
      count: boxes.map(() => 1),
      repeat: boxes.map(({ type }) => (type === "series" ? 5 : 1)),
      structure: boxes.map(() => 0),
      parameters: boxes.map(() => 0),
      has_unknown_parameters: boxes.map(() => false),
      is_aside: boxes.map(({ isAside }) => isAside ?? false),
    },
    edges: {
      source: edges.map(([source]) => index.get(source)!),
      target: edges.map(([, target]) => index.get(target)!),
      count: edges.map(() => 1),
      shape: edges.map(([, , shape]) => shape ?? ""),
      bytes: edges.map(() => -1),
      is_control: edges.map(() => false),
    },
    folds: [],
    problems: [],
    open: boxes.filter(({ isOpen }) => isOpen).map(({ id }) => id),
  };
}

export function sceneOf(graph: VisibleGraph, overrides: Partial<Scene> = {}): Scene {
  return {
    key: "test",
    graph,
    layout: new LayoutEngine().layOut(layoutRequestOf(graph, "test")),
    fills: graph.boxes.id.map(() => ""),
    texts: graph.boxes.id.map(() => ""),
    selected: null,
    candidate: null,
    trace: new Map(),
    anchor: null,
    ...overrides,
  };
}
