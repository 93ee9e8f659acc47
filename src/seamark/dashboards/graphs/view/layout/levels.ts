/** Splits the edges of the visible boxes into those of each group: between two children, from outside in, from inside out. */

import type { LevelEdges } from "./level";
import type { LayoutRequest } from "./types";

export interface LevelInput {
  readonly ids: readonly string[];
  /** Boxes of the request, apart from those at the side. */
  readonly children: readonly number[];
  readonly asides: readonly number[];
  readonly edges: LevelEdges;
  readonly hasEntry: boolean;
}

/** How each edge of the request is put together from routes of levels. */
export interface RoutePlan {
  /** 1 for edges from or to a box at the side. */
  readonly isDirect: Uint8Array;
  /** The two boxes of the same group between which the edge crosses, as an index of the next three. */
  readonly pair: Int32Array;
  readonly pairSource: number[];
  readonly pairTarget: number[];
  readonly pairRoute: number[];
  /** By box: the route in its group from the entry to it, and from it to the exit; -1 if there is none. */
  readonly entryRoute: Int32Array;
  readonly exitRoute: Int32Array;
}

export function collectLevels(request: LayoutRequest): { levels: (LevelInput | null)[]; routes: RoutePlan } {
  const { boxes } = request;
  const routes = pairEdges(request);
  const drafts = Array.from({ length: boxes.length + 1 }, () => null as Draft | null);
  const draftOf = (group: number): Draft => (drafts[group + 1] ??= { children: [], asides: [], from: [], to: [] });
  const local = new Int32Array(boxes.length);
  draftOf(-1);
  boxes.forEach(({ parent, isAside }, box) => {
    const { children, asides } = draftOf(parent);
    local[box] = children.length;
    (isAside ? asides : children).push(box);
  });
  const add = (group: number, from: number, to: number): number => {
    const draft = draftOf(group);
    draft.from.push(from);
    return draft.to.push(to) - 1;
  };
  routes.pairSource.forEach((source, pair) => {
    routes.pairRoute[pair] = add(boxes[source]!.parent, local[source]!, local[routes.pairTarget[pair]!]!);
  });
  boxes.forEach(({ parent }, box) => {
    if (routes.entryRoute[box]! >= 0)
      routes.entryRoute[box] = add(parent, draftOf(parent).children.length, local[box]!);
    if (routes.exitRoute[box]! >= 0)
      routes.exitRoute[box] = add(parent, local[box]!, draftOf(parent).children.length + 1);
  });
  const levels = drafts.map((draft) => (draft ? finish(draft, request) : null));
  return { levels, routes };
}

interface Draft {
  readonly children: number[];
  readonly asides: number[];
  readonly from: number[];
  readonly to: number[];
}

function finish({ children, asides, from, to }: Draft, { boxes }: LayoutRequest): LevelInput {
  return {
    ids: children.map((box) => boxes[box]!.id),
    children,
    asides,
    edges: { from: Int32Array.from(from), to: Int32Array.from(to) },
    hasEntry: from.includes(children.length),
  };
}

/** Climbs from both ends of each edge to the group that holds both; marks the boxes on the way with 0. */
function pairEdges({ boxes, edges }: LayoutRequest): RoutePlan {
  const depth = new Int32Array(boxes.length);
  boxes.forEach(({ parent }, box) => (depth[box] = parent < 0 ? 0 : depth[parent]! + 1));
  const plan: RoutePlan = {
    isDirect: new Uint8Array(edges.source.length),
    pair: new Int32Array(edges.source.length).fill(-1),
    pairSource: [],
    pairTarget: [],
    pairRoute: [],
    entryRoute: new Int32Array(boxes.length).fill(-1),
    exitRoute: new Int32Array(boxes.length).fill(-1),
  };
  const pairs = new Map<number, number>();
  const parentOf = (box: number): number => boxes[box]!.parent;
  for (let edge = 0; edge < edges.source.length; edge += 1) {
    const [source, target] = [edges.source[edge]!, edges.target[edge]!];
    if (source === target) continue;
    let [a, b] = [source, target];
    while (parentOf(a) !== parentOf(b)) {
      if (depth[a]! >= depth[b]!) a = parentOf(a);
      else b = parentOf(b);
    }
    const passesAside = (from: number, until: number): boolean => {
      for (let box = from; ; box = parentOf(box)) {
        if (boxes[box]!.isAside) return true;
        if (box === until) return false;
      }
    };
    // A box and a group around it: only hostile input has that.
    if (a === b || passesAside(source, a) || passesAside(target, b)) {
      plan.isDirect[edge] = 1;
      continue;
    }
    for (let box = source; box !== a; box = parentOf(box)) plan.exitRoute[box] = 0;
    for (let box = target; box !== b; box = parentOf(box)) plan.entryRoute[box] = 0;
    const key = a * boxes.length + b;
    let pair = pairs.get(key);
    if (pair === undefined) {
      pairs.set(key, (pair = plan.pairSource.push(a) - 1));
      plan.pairTarget.push(b);
    }
    plan.pair[edge] = pair;
  }
  return plan;
}
