/** The layout of the children of one group: connected parts on their own, then packed in rows beside each other. */

import { connectedComponents } from "./adjacency";
import { packParts } from "./pack";
import { placePart, placeSingle, type Part, type Sizes } from "./part";
import { RouteBuilder, type Routes } from "./routes";
import { buildStructure, type Structure } from "./structure";

/** Vertices are the boxes, then the entries at the top, where edges from outside enter, then the exits at the bottom. */
export interface LevelGraph {
  readonly boxes: number;
  readonly entries: number;
  readonly exits: number;
  /** No self loops. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

interface PartPlan {
  readonly boxes: Int32Array;
  readonly edges: Int32Array;
  /** The ports of the level that its edges use. */
  readonly entries: readonly number[];
  readonly exits: readonly number[];
  /** null for a single box with few edges. */
  readonly structure: Structure | null;
}

/** What does not depend on sizes. */
export interface LevelPlan {
  readonly graph: LevelGraph;
  readonly parts: readonly PartPlan[];
}

export interface Level {
  readonly width: number;
  readonly height: number;
  readonly left: Float64Array;
  readonly top: Float64Array;
  readonly entryX: Float64Array;
  readonly exitX: Float64Array;
  readonly routes: Routes;
}

const NO_EDGES = new Int32Array(0);

export function planLevel(graph: LevelGraph, seed: Float64Array): LevelPlan {
  const { boxes, from, to } = graph;
  const isInner = (edge: number): boolean => from[edge]! < boxes && to[edge]! < boxes;
  const inner = Int32Array.from({ length: from.length }, (_, edge) => edge).filter(isInner);
  const root = connectedComponents(boxes, inner.map((edge) => from[edge]!), inner.map((edge) => to[edge]!)); // prettier-ignore
  const members = new Map<number, { boxes: number[]; edges: number[] }>();
  root.forEach((first, box) => {
    if (first === box) members.set(first, { boxes: [], edges: [] });
    members.get(first)!.boxes.push(box);
  });
  for (let edge = 0; edge < from.length; edge += 1)
    members.get(root[from[edge]! < boxes ? from[edge]! : to[edge]!]!)!.edges.push(edge);
  const parts = [...members.values()].map((part) => planPart(graph, part.boxes, part.edges, seed));
  // Single boxes come last, as a grid.
  parts.sort((a, b) => Number(a.boxes.length === 1) - Number(b.boxes.length === 1));
  return { graph, parts };
}

function planPart(
  graph: LevelGraph,
  own: readonly number[],
  ownEdges: readonly number[],
  seed: Float64Array,
): PartPlan {
  const { boxes, from, to } = graph;
  if (own.length === 1 && ownEdges.length === 0)
    return { boxes: Int32Array.from(own), edges: NO_EDGES, entries: [], exits: [], structure: null };
  const edges = Int32Array.from(ownEdges);
  const portsIn = (ends: Int32Array, first: number): number[] => [
    ...new Set(Array.from(edges, (edge) => ends[edge]! - first).filter((port) => port >= 0)),
  ];
  const entries = portsIn(from, boxes);
  const exits = portsIn(to, boxes + graph.entries);
  const plan = { boxes: Int32Array.from(own), edges, entries, exits };
  if (own.length === 1 && entries.length < 2 && exits.length < 2 && edges.length === entries.length + exits.length)
    return { ...plan, structure: null };
  const vertices = [
    ...own,
    ...entries.map((port) => boxes + port),
    ...exits.map((port) => boxes + graph.entries + port),
  ];
  const local = new Map(vertices.map((vertex, index) => [vertex, index]));
  const structure = buildStructure({
    boxes: own.length,
    entries: entries.length,
    exits: exits.length,
    from: edges.map((edge) => local.get(from[edge]!)!),
    to: edges.map((edge) => local.get(to[edge]!)!),
    seed: Float64Array.from(own, (box) => seed[box]!),
  });
  return { ...plan, structure };
}

export function placeLevel({ graph, parts: plans }: LevelPlan, sizes: Sizes): Level {
  const { boxes, from, to } = graph;
  const parts = plans.map((plan) => placeOf(plan, sizes, (edge) => from[edge]! >= boxes));
  const packed = packParts(
    parts.map((part, index) => ({ ...part, entries: plans[index]!.entries, exits: plans[index]!.exits })),
    graph,
  );
  const [left, top] = [new Float64Array(boxes), new Float64Array(boxes)];
  const where = new Int32Array(from.length * 2);
  plans.forEach((plan, part) => {
    const at = packed.positionOf(part);
    plan.boxes.forEach((box, own) => {
      left[box] = parts[part]!.left[own]! + at.x;
      top[box] = parts[part]!.top[own]! + at.y;
    });
    plan.edges.forEach((edge, own) => where.set([part, own], 2 * edge));
  });
  const routes = new RouteBuilder();
  for (let edge = 0; edge < from.length; edge += 1) {
    const [part, own] = [where[2 * edge]!, where[2 * edge + 1]!];
    if (from[edge]! >= boxes) packed.enter(routes, part, from[edge]! - boxes);
    const { x, y } = packed.positionOf(part);
    routes.append(parts[part]!.routes, own, x, y);
    if (to[edge]! >= boxes) packed.leave(routes, part, to[edge]! - boxes - graph.entries);
    routes.end();
  }
  const { width, height, entryX, exitX } = packed;
  return { width, height, left, top, entryX, exitX, routes: routes.build() };
}

function placeOf({ boxes, edges, structure }: PartPlan, sizes: Sizes, isEntry: (edge: number) => boolean): Part {
  const pick = (column: Float64Array, of: Int32Array): Float64Array => Float64Array.from(of, (index) => column[index]!);
  const own = {
    width: pick(sizes.width, boxes),
    height: pick(sizes.height, boxes),
    exit: pick(sizes.exit, edges),
    entry: pick(sizes.entry, edges),
  };
  return structure ? placePart(structure, own) : placeSingle(own, Array.from(edges, isEntry));
}
