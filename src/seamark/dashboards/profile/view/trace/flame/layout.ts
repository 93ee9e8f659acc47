/** The flame graph: a tree of names as bars, each below its parent and as wide as its share of the time. */

import type { StackTree } from "../../wire";

export interface FlameBar {
  /** Position among the nodes. */
  readonly node: number;
  /** Shares of the width, between 0 and 1. */
  readonly left: number;
  readonly width: number;
  readonly depth: number;
}

/** The bars below `root` (-1: all roots), those that are wider than `least`; the widest first at each place. */
export function layoutFlame({ nodes }: StackTree, root: number, least: number): FlameBar[] {
  const children = new Map<number, number[]>();
  nodes.forEach(({ parent }, node) => {
    const list = children.get(parent);
    if (list) list.push(node);
    else children.set(parent, [node]);
  });
  for (const list of children.values()) list.sort((a, b) => nodes[b]!.total_ns - nodes[a]!.total_ns);
  const first = root < 0 ? (children.get(-1) ?? []) : [root];
  const total = first.reduce((sum, node) => sum + nodes[node]!.total_ns, 0);
  if (total === 0) return [];
  const bars: FlameBar[] = [];
  const waiting: { readonly list: readonly number[]; readonly left: number; readonly depth: number }[] = [{ list: first, left: 0, depth: 0 }]; // prettier-ignore
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    let { left } = next;
    for (const node of next.list) {
      const width = nodes[node]!.total_ns / total;
      if (width < least) break;
      bars.push({ node, left, width, depth: next.depth });
      waiting.push({ list: children.get(node) ?? [], left, depth: next.depth + 1 });
      left += width;
    }
  }
  return bars;
}

/** The node and all above it, outermost first. */
export function pathTo({ nodes }: StackTree, node: number): number[] {
  const path: number[] = [];
  for (let each = node; each >= 0; each = nodes[each]!.parent) path.unshift(each);
  return path;
}
