/** Which rows a table shows, in which order: flat ones, and trees of which some nodes are open. */

import type { ProfileColumn } from "./columns";
import { LocalSource, type Cell, type SortTerm } from "$public/tables";

export interface Arrangement {
  readonly sort: readonly SortTerm[];
  /** Rows whose texts contain all of its words. */
  readonly filter: string;
}

/** A node of a tree in preorder: the parent of node i is `nodes[i].parent`, -1 for a root. */
export interface TreeNode {
  readonly parent: number;
}

export interface TreeRow<Node> {
  readonly node: Node;
  /** Position in the tree. */
  readonly index: number;
  readonly level: number;
  /** Null: there is nothing below it. */
  readonly isOpen: boolean | null;
}

const isText = <Row>({ type }: ProfileColumn<Row>): boolean => type === "name" || type === "text";

function matcher<Row>(columns: readonly ProfileColumn<Row>[], filter: string): ((row: Row) => boolean) | null {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const texts = columns.filter(isText);
  return (row) => {
    const text = texts.map(({ value }) => String(value(row) ?? "").toLowerCase()).join("\n");
    return words.every((word) => text.includes(word));
  };
}

export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: readonly ProfileColumn<Row>[],
  { sort, filter }: Arrangement,
): readonly Row[] {
  const matches = matcher(columns, filter);
  return order(matches ? rows.filter(matches) : rows, columns, sort);
}

function order<Row>(
  rows: readonly Row[],
  columns: readonly ProfileColumn<Row>[],
  sort: readonly SortTerm[],
): readonly Row[] {
  const terms = sort.filter(({ id }) => columns.some((column) => column.id === id));
  if (terms.length === 0) return rows;
  const used = columns.filter(({ id }) => terms.some((term) => term.id === id));
  const cells = (row: Row): Record<string, Cell> =>
    Object.fromEntries(used.map(({ id, value }) => [id, value(row)] as const));
  const source = new LocalSource(rows.map((row, at) => ({ key: String(at), cells: cells(row) })), terms); // prettier-ignore
  return source.rows.map(({ key }) => rows[Number(key)]!);
}

/** The visible rows of a tree, siblings in order. A filter shows what matches with everything above it. */
export function arrangeTree<Node extends TreeNode>(
  nodes: readonly Node[],
  columns: readonly ProfileColumn<Node>[],
  { sort, filter }: Arrangement,
  isOpen: (index: number) => boolean,
): readonly TreeRow<Node>[] {
  const matches = matcher(columns, filter);
  const kept = matches ? withParents(nodes, matches) : null;
  const children = childrenOf(nodes, kept);
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const rows: TreeRow<Node>[] = [];
  const add = (parent: number, level: number): void => {
    const below = (children.get(parent) ?? []).map((index) => nodes[index]!);
    for (const node of order(below, columns, sort)) {
      const index = indexOf.get(node)!;
      const hasBelow = children.has(index);
      const opened = hasBelow && (isOpen(index) || kept !== null);
      rows.push({ node, index, level, isOpen: hasBelow ? opened : null });
      if (opened) add(index, level + 1);
    }
  };
  add(-1, 0);
  return rows;
}

function withParents<Node extends TreeNode>(
  nodes: readonly Node[],
  matches: (node: Node) => boolean,
): readonly boolean[] {
  const kept = nodes.map(matches);
  // Children come after their parents.
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const { parent } = nodes[index]!;
    if (kept[index] && parent >= 0) kept[parent] = true;
  }
  return kept;
}

function childrenOf(
  nodes: readonly TreeNode[],
  kept: readonly boolean[] | null,
): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  nodes.forEach(({ parent }, index) => {
    if (kept && !kept[index]) return;
    const below = children.get(parent);
    if (below) below.push(index);
    else children.set(parent, [index]);
  });
  return children;
}

/** The nodes that are open at first: the path of the largest values, until it divides. */
export function openAtFirst<Node extends TreeNode>(
  nodes: readonly Node[],
  valueOf: (node: Node) => number,
  maxOpen = 12,
): readonly number[] {
  const children = childrenOf(nodes, null);
  const opened: number[] = [];
  let at: number | undefined = -1;
  while (at !== undefined && opened.length < maxOpen) {
    const below: readonly number[] = children.get(at) ?? [];
    if (at >= 0 && below.length > 0) opened.push(at);
    if (at >= 0 && below.length > 1) break;
    at = [...below].sort((a, b) => valueOf(nodes[b]!) - valueOf(nodes[a]!))[0];
  }
  return opened;
}

/** The nodes above one, outermost first. */
export function pathTo(nodes: readonly TreeNode[], index: number): readonly number[] {
  const path: number[] = [];
  let at = nodes[index]?.parent ?? -1;
  for (; at >= 0; at = nodes[at]!.parent) path.unshift(at);
  return path;
}
