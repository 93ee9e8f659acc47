/** What the pickers of the controls offer, and how it is called. */

import { format } from "$public/core";
import { columnQuery } from "$public/tables";
import type { ColumnEntry, EmbeddingEntry, EmbeddingInfo, EmbeddingList } from "../wire";

/** A key for an entry, in a list of entries of all runs. */
export const entryKey = ({ run, name }: { readonly run: string; readonly name: string }): string =>
  JSON.stringify([run, name]);

/** "vit/seed0 · encoder/pool"; a dropped file has no run. */
export const entryLabel = ({ run, title }: EmbeddingEntry, runLabel: (run: string) => string): string =>
  run === "" ? title : `${runLabel(run)} · ${title}`;

/** Those of one run beside each other, in the order in which the runs come first. */
export function groupedByRun(entries: readonly EmbeddingEntry[]): EmbeddingEntry[] {
  const byRun = new Map<string, EmbeddingEntry[]>();
  for (const entry of entries) {
    const ofRun = byRun.get(entry.run);
    if (ofRun) ofRun.push(entry);
    else byRun.set(entry.run, [entry]);
  }
  return [...byRun.values()].flat();
}

/** What the list of embeddings leaves out, as sentences. */
export function listingNotes({ problems, more }: EmbeddingList, runLabel: (run: string) => string): string[] {
  const notes = problems.map(({ run, path, message }) => `${message}: '${runLabel(run)}/${path}'`);
  if (more) notes.push("the folders have more files than can be listed");
  return notes;
}

/** "50,000 × 256, float16" */
export const shapeText = ({ rows, dimensions, dtype }: EmbeddingInfo): string =>
  `${format.count(rows)} × ${format.count(dimensions)}, ${dtype}`;

/** "superclass, 20 values", "loss, numbers", "file, text" */
export function columnLabel({ name, type, distinct }: ColumnEntry): string {
  if (type === "number") return `${name}, numbers`;
  return type === "text" ? `${name}, text` : `${name}, ${format.counted(distinct, "value")}`;
}

/** Of the first column with names, or with numbers. */
export function exampleQuery(columns: readonly ColumnEntry[]): string {
  const column = columns.find(({ type }) => type !== "number") ?? columns[0];
  if (!column) return "A query over the metadata";
  const example = column.type === "number" ? "> 0" : column.has_numbers ? "== 0" : '== "…"';
  return `${columnQuery.columnTerm(column.name)} ${example}`;
}

const CLUSTER_NAMES: Readonly<Record<string, string>> = { off: "off", kmeans: "k-means", density: "by density" };

export const clusterChoices = (columns: readonly ColumnEntry[]): string[] => [
  "off",
  ...columns.filter(({ type, distinct }) => type === "category" && distinct > 1).map(({ name }) => `column:${name}`),
  "kmeans",
  "density",
];

export const clusterLabel = (by: string): string => CLUSTER_NAMES[by] ?? `from ${by.replace("column:", "")}`;
