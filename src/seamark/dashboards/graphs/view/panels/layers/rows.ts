/** Rows of the layers table: one for each layer, or one for layers that are the same. */

import type { Layers } from "../../wire";

export interface LayerRow {
  /** Of the layer, or of the first one of several. */
  readonly id: string;
  readonly name: string;
  readonly op: string;
  readonly shape: string;
  /** How many layers it stands for; the numbers are their sums. */
  readonly count: number;
  readonly parameters: number | null;
  readonly trainable: number;
  readonly multiply_adds: number | null;
  readonly bytes: number | null;
  readonly time: number | null;
  /** What is wrong with it, or with the worst of them: the index in the list of findings, the worst first. */
  readonly finding: number | null;
  /** The columns whose number is a part of all. */
  readonly partial: ReadonlySet<string>;
}

export interface RowOptions {
  /** Layers of equal content at the same position of repeated blocks are one row. */
  readonly isGrouped: boolean;
  /** Only layers that contain no other layer. */
  readonly isInnermost: boolean;
}

/** What the share of a row is a share of: the first of these that is known. */
export type ShareOf = "time" | "multiply_adds" | "parameters";

/** `findingOf`: the index of a layer in the list of findings. Layers with one come first, the worst at the top. */
export function layerRows(
  layers: Layers,
  { isGrouped, isInnermost }: RowOptions,
  findingOf: ReadonlyMap<string, number> = new Map(),
): readonly LayerRow[] {
  const rows = new Map<string, LayerRow>();
  layers.id.forEach((id, at) => {
    if (isInnermost && (layers.depth[at + 1] ?? 0) > layers.depth[at]!) return;
    const row = rowAt(layers, at, findingOf);
    const key = isGrouped ? layers.id[layers.first_equal[at]!]! : id;
    const found = rows.get(key);
    rows.set(key, found ? joined(found, row) : row);
  });
  const all = [...rows.values()];
  const place = ({ finding }: LayerRow): number => finding ?? findingOf.size;
  return findingOf.size > 0 ? all.toSorted((a, b) => place(a) - place(b)) : all;
}

const PARTIAL = ["parameters", "multiply_adds", "bytes"] as const;

export function rowAt(layers: Layers, at: number, findingOf: ReadonlyMap<string, number> = new Map()): LayerRow {
  return {
    id: layers.id[at]!,
    finding: findingOf.get(layers.id[at]!) ?? null,
    name: layers.name[at]!,
    op: layers.op[at]!,
    shape: layers.shape[at]!,
    count: 1,
    parameters: layers.parameters[at]!,
    trainable: layers.trainable[at]!,
    multiply_adds: layers.multiply_adds[at]!,
    bytes: layers.bytes[at]!,
    time: layers.time[at]!,
    partial: new Set(PARTIAL.filter((column) => layers[`has_unknown_${column}`][at])),
  };
}

/** "h.5.attn" and "h.11.attn" are "h.*.attn". */
export const patternOf = (name: string): string => name.replace(/(?<=^|[./])\d+(?=$|[./])/g, "*");

const joined = (a: LayerRow, b: LayerRow): LayerRow => ({
  ...a,
  name: patternOf(a.name),
  count: a.count + b.count,
  parameters: sumOf(a.parameters, b.parameters),
  trainable: a.trainable + b.trainable,
  multiply_adds: sumOf(a.multiply_adds, b.multiply_adds),
  bytes: sumOf(a.bytes, b.bytes),
  time: sumOf(a.time, b.time),
  finding: a.finding === null || (b.finding !== null && b.finding < a.finding) ? b.finding : a.finding,
  partial: new Set([...a.partial, ...b.partial]),
});

const sumOf = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

export function shareOf({ totals }: Layers): ShareOf {
  return totals.time ? "time" : totals.multiply_adds ? "multiply_adds" : "parameters";
}

/** The layer of the selected box: itself, or the innermost one around it; -1 if there is none. */
export function selectedLayer(layers: Layers, ids: readonly string[]): number {
  return ids.map((id) => layers.id.indexOf(id)).findLast((at) => at >= 0) ?? -1;
}

/** The name in two parts: the groups around it, and its own. */
export function splitName(name: string): { readonly above: string; readonly own: string } {
  const at = Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1;
  return { above: name.slice(0, at), own: name.slice(at) };
}
