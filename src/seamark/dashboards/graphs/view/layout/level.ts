/** The layout of the children of one group: connected parts on their own, then packed in rows beside each other. */

import { connectedComponents } from "./adjacency";
import { packParts } from "./pack";
import { placePart, placeSingle, type Sizes } from "./part";
import { RouteBuilder, type Routes } from "./routes";
import { buildStructure, type Structure } from "./structure";

export interface LevelEdges {
  /** Box `boxes` is the entry, `boxes + 1` the exit. No self loops, no pair twice. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

interface PartPlan {
  readonly boxes: Int32Array;
  readonly edges: Int32Array;
  /** null for a single box. */
  readonly structure: Structure | null;
}

/** What does not depend on sizes. */
export interface LevelPlan {
  readonly boxes: number;
  readonly edges: LevelEdges;
  readonly parts: readonly PartPlan[];
}

export interface Level {
  readonly width: number;
  readonly height: number;
  readonly left: Float64Array;
  readonly top: Float64Array;
  readonly entryX: number;
  readonly exitX: number;
  readonly routes: Routes;
}

export function planLevel(boxes: number, edges: LevelEdges, seed: Float64Array): LevelPlan {
  const { from, to } = edges;
  const isInner = (edge: number): boolean => from[edge]! < boxes && to[edge]! < boxes;
  const inner = Int32Array.from({ length: from.length }, (_, edge) => edge).filter(isInner);
  const root = connectedComponents(boxes, inner.map((edge) => from[edge]!), inner.map((edge) => to[edge]!)); // prettier-ignore
  const members = new Map<number, { boxes: number[]; edges: number[] }>();
  root.forEach((first, box) => {
    if (first === box) members.set(first, { boxes: [], edges: [] });
    members.get(first)!.boxes.push(box);
  });
  for (let edge = 0; edge < from.length; edge += 1)
    members.get(root[from[edge]! < boxes ? from[edge]! : to[edge]!]!)?.edges.push(edge);
  const local = new Int32Array(boxes + 2);
  const parts = [...members.values()].map((part): PartPlan => {
    const own = { boxes: Int32Array.from(part.boxes), edges: Int32Array.from(part.edges) };
    if (part.boxes.length === 1) return { ...own, structure: null };
    part.boxes.forEach((box, index) => (local[box] = index));
    local[boxes] = part.boxes.length;
    local[boxes + 1] = part.boxes.length + 1;
    const structure = buildStructure({
      boxes: part.boxes.length,
      from: own.edges.map((edge) => local[from[edge]!]!),
      to: own.edges.map((edge) => local[to[edge]!]!),
      seed: Float64Array.from(part.boxes, (box) => seed[box]!),
    });
    return { ...own, structure };
  });
  // Single boxes come last, as a grid.
  parts.sort((a, b) => Number(a.structure === null) - Number(b.structure === null));
  return { boxes, edges, parts };
}

export function placeLevel({ boxes, edges, parts: plans }: LevelPlan, sizes: Sizes): Level {
  const parts = plans.map(({ boxes: own, edges: ownEdges, structure }) => {
    const pick = (column: Float64Array): Float64Array => Float64Array.from(own, (box) => column[box]!);
    if (!structure) return placeSingle(sizes, own[0]!, ownEdges.map((edge) => Number(edges.from[edge]! === boxes))); // prettier-ignore
    const { width, height, entry, exit } = sizes;
    return placePart(structure, { width: pick(width), height: pick(height), entry: pick(entry), exit: pick(exit) });
  });
  const packed = packParts(
    parts.map((part, index) => ({
      ...part,
      hasEntry: plans[index]!.edges.some((edge) => edges.from[edge] === boxes),
      hasExit: plans[index]!.edges.some((edge) => edges.to[edge] === boxes + 1),
    })),
  );
  const [left, top] = [new Float64Array(boxes), new Float64Array(boxes)];
  const where = new Int32Array(edges.from.length * 2);
  plans.forEach((plan, part) => {
    plan.boxes.forEach((box, own) => {
      left[box] = parts[part]!.left[own]! + packed.x[part]!;
      top[box] = parts[part]!.top[own]! + packed.y[part]!;
    });
    plan.edges.forEach((edge, own) => where.set([part, own], 2 * edge));
  });
  const routes = new RouteBuilder();
  for (let edge = 0; edge < edges.from.length; edge += 1) {
    const [part, own] = [where[2 * edge]!, where[2 * edge + 1]!];
    if (edges.from[edge] === boxes) packed.enter(routes, part);
    routes.append(parts[part]!.routes, own, packed.x[part]!, packed.y[part]!);
    if (edges.to[edge] === boxes + 1) packed.leave(routes, part);
    routes.end();
  }
  const { width, height, entryX, exitX } = packed;
  return { width, height, left, top, entryX, exitX, routes: routes.build() };
}
