/**
 * Splits the edges of the visible boxes into those of each group: between two children, from outside in, from inside out.
 * An edge crosses between two boxes of the same group, its pair. The edges of a pair share one port on every border, and so
 * do pairs that lead to the same boxes inside: nobody can mistake one for the other.
 */

import type { LevelGraph } from "./level";
import type { LayoutRequest } from "./types";

export interface LevelInput {
  readonly ids: readonly string[];
  /** Boxes of the request, apart from those at the side. */
  readonly children: readonly number[];
  readonly asides: readonly number[];
  readonly graph: LevelGraph;
  /** By edge: the exit of its source and the entry of its target, if that is an open group; else -1. */
  readonly exitPort: Int32Array;
  readonly entryPort: Int32Array;
}

/** A piece of an edge: a route of a group's level. */
export interface Piece {
  readonly group: number;
  readonly route: number;
}

/** With more ports than this, all edges that enter or leave a group share one. */
const MAX_PORTS = 8;
const NO_PORT = -1;

export class LevelBuilder {
  readonly #parent: Int32Array;
  readonly #local: Int32Array;
  readonly #drafts: (Draft | null)[];
  /** By edge: the boxes of the same group between which it crosses. Both are -1 for edges of boxes at the side. */
  readonly #pairs: { readonly source: Int32Array; readonly target: Int32Array };

  constructor(private readonly request: LayoutRequest) {
    const { boxes, edges } = request;
    this.#parent = Int32Array.from(boxes, ({ parent }) => parent);
    this.#local = new Int32Array(boxes.length);
    this.#drafts = Array.from({ length: boxes.length + 1 }, () => null);
    this.#draftOf(-1);
    boxes.forEach(({ parent, isAside }, box) => {
      const { children, asides } = this.#draftOf(parent);
      this.#local[box] = children.length;
      (isAside ? asides : children).push(box);
    });
    this.#pairs = pairsOf(request);
    edges.source.forEach((_, edge) => this.#collectPorts(edge));
    for (const draft of this.#drafts)
      if (draft) [draft.entries, draft.exits] = [numberPorts(draft.inner.entries), numberPorts(draft.inner.exits)];
    edges.source.forEach((_, edge) => this.piecesOf(edge));
  }

  /** The level of each group; that of group g is at g + 1, that of the whole graph at 0. */
  levels(): (LevelInput | null)[] {
    return this.#drafts.map((draft) => (draft ? this.#finish(draft) : null));
  }

  /** From the source to the target; null for self loops and edges of boxes at the side. */
  piecesOf(edge: number): Piece[] | null {
    const [across, into] = [this.#pairs.source[edge]!, this.#pairs.target[edge]!];
    if (across < 0) return null;
    const { source, target } = this.request.edges;
    const key = this.#pairKey(edge);
    const out: Piece[] = [];
    let port = NO_PORT;
    for (let box = source[edge]!; box !== across; box = this.#parent[box]!) {
      const group = this.#parent[box]!;
      const next = this.#draftOf(group).exits.get(key)!;
      out.push(this.#piece(group, { from: this.#local[box]!, to: -1 - next, exit: port, entry: NO_PORT }));
      port = next;
    }
    const inner: Piece[] = [];
    let entry = NO_PORT;
    for (let box = target[edge]!; box !== into; box = this.#parent[box]!) {
      const group = this.#parent[box]!;
      const next = this.#draftOf(group).entries.get(key)!;
      inner.push(this.#piece(group, { from: -1 - next, to: this.#local[box]!, exit: NO_PORT, entry }));
      entry = next;
    }
    const ends = { from: this.#local[across]!, to: this.#local[into]!, exit: port, entry };
    return [...out, this.#piece(this.#parent[across]!, ends), ...inner.reverse()];
  }

  #pairKey(edge: number): number {
    return this.#pairs.source[edge]! * this.#parent.length + this.#pairs.target[edge]!;
  }

  #draftOf(group: number): Draft {
    return (this.#drafts[group + 1] ??= {
      children: [],
      asides: [],
      pieces: [],
      routes: new Map(),
      inner: { entries: new Map(), exits: new Map() },
      entries: new Map(),
      exits: new Map(),
    });
  }

  #collectPorts(edge: number): void {
    if (this.#pairs.source[edge]! < 0) return;
    const key = this.#pairKey(edge);
    const collect = (from: number, until: number, ports: "entries" | "exits"): void => {
      for (let box = from; box !== until; box = this.#parent[box]!) {
        const known = this.#draftOf(this.#parent[box]!).inner[ports];
        const inner = known.get(key);
        if (inner) inner.add(box);
        else known.set(key, new Set([box]));
      }
    };
    collect(this.request.edges.source[edge]!, this.#pairs.source[edge]!, "exits");
    collect(this.request.edges.target[edge]!, this.#pairs.target[edge]!, "entries");
  }

  /** The same piece is one route, however many edges have it. */
  #piece(group: number, ends: Ends): Piece {
    const { routes, pieces } = this.#draftOf(group);
    const key = `${ends.from} ${ends.to} ${ends.exit} ${ends.entry}`;
    let route = routes.get(key);
    if (route === undefined) routes.set(key, (route = pieces.push(ends) - 1));
    return { group, route };
  }

  #finish({ children, asides, pieces, entries, exits }: Draft): LevelInput {
    const boxes = children.length;
    const [entryCount, exitCount] = [portCount(entries), portCount(exits)];
    // Ports were counted from -1 down while the number of boxes was not known.
    const vertex = (end: number, first: number): number => (end < 0 ? first + (-1 - end) : end);
    const graph = {
      boxes,
      entries: entryCount,
      exits: exitCount,
      from: Int32Array.from(pieces, ({ from }) => vertex(from, boxes)),
      to: Int32Array.from(pieces, ({ to }) => vertex(to, boxes + entryCount)),
    };
    return {
      ids: children.map((box) => this.request.boxes[box]!.id),
      children,
      asides,
      graph,
      exitPort: Int32Array.from(pieces, ({ exit }) => exit),
      entryPort: Int32Array.from(pieces, ({ entry }) => entry),
    };
  }
}

interface Ends {
  readonly from: number;
  readonly to: number;
  readonly exit: number;
  readonly entry: number;
}

interface Draft {
  readonly children: number[];
  readonly asides: number[];
  readonly pieces: Ends[];
  readonly routes: Map<string, number>;
  /** The children that each pair leads to or comes from. */
  readonly inner: { readonly entries: Map<number, Set<number>>; readonly exits: Map<number, Set<number>> };
  /** Ports by pair. */
  entries: ReadonlyMap<number, number>;
  exits: ReadonlyMap<number, number>;
}

const portCount = (ports: ReadonlyMap<number, number>): number => new Set(ports.values()).size;

function numberPorts(inner: ReadonlyMap<number, ReadonlySet<number>>): Map<number, number> {
  const known = new Map<string, number>();
  const ports = new Map<number, number>();
  for (const [pair, boxes] of inner) {
    const signature = [...boxes].sort((a, b) => a - b).join();
    const port = known.get(signature) ?? known.size;
    known.set(signature, port);
    ports.set(pair, port);
  }
  if (known.size > MAX_PORTS) for (const pair of ports.keys()) ports.set(pair, 0);
  return ports;
}

/** Climbs from both ends of each edge to the group that holds both. */
function pairsOf({ boxes, edges }: LayoutRequest): { source: Int32Array; target: Int32Array } {
  const depth = new Int32Array(boxes.length);
  boxes.forEach(({ parent }, box) => (depth[box] = parent < 0 ? 0 : depth[parent]! + 1));
  const parentOf = (box: number): number => boxes[box]!.parent;
  const passesAside = (from: number, until: number): boolean => {
    for (let box = from; ; box = parentOf(box)) {
      if (boxes[box]!.isAside) return true;
      if (box === until) return false;
    }
  };
  const pairs = {
    source: new Int32Array(edges.source.length).fill(-1),
    target: new Int32Array(edges.source.length).fill(-1),
  };
  edges.source.forEach((source, edge) => {
    const target = edges.target[edge]!;
    if (source === target) return;
    let [a, b] = [source, target];
    while (parentOf(a) !== parentOf(b)) {
      if (depth[a]! >= depth[b]!) a = parentOf(a);
      else b = parentOf(b);
    }
    // A box and a group around it: only hostile input has that.
    if (a === b || passesAside(source, a) || passesAside(target, b)) return;
    pairs.source[edge] = a;
    pairs.target[edge] = b;
  });
  return pairs;
}
