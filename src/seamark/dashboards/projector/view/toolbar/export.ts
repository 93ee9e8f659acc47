/** Files of the picture and of the rows. */

import { downloads } from "$public/core";
import type { PaneModel } from "../pane_model.svelte";

export type RowFormat = "csv" | "parquet" | "npy";
export const ROW_FORMATS: readonly { readonly format: RowFormat; readonly title: string; readonly hint: string }[] = [
  { format: "csv", title: "CSV", hint: "metadata, positions" },
  { format: "parquet", title: "Parquet", hint: "metadata, positions, vectors" },
  { format: "npy", title: ".npy", hint: "vectors" },
];

const nameOf = (pane: PaneModel, ending: string): string =>
  downloads.fileName([pane.ref?.run, pane.entry?.title, pane.step].filter((part) => part !== "" && part != null).join(" "), ending); // prettier-ignore

/** The shown picture may be that of another step while the present one loads. */
const isOfEmbedding = ({ ref, projected }: PaneModel): boolean =>
  projected !== null && projected.run === ref?.run && projected.name === ref.name;

/** Rejects with a sentence; null: all rows. */
export async function saveRows(pane: PaneModel, format: RowFormat, rows: Uint32Array | null): Promise<void> {
  if (!pane.ref) return;
  const bytes = await pane.model.requests.export(pane.ref, format, rows, isOfEmbedding(pane) ? pane.projected : null);
  downloads.save(new Blob([bytes]), nameOf(pane, format));
}

export async function savePicture(pane: PaneModel, type: "png" | "svg"): Promise<void> {
  const picture = await pane.exportPicture?.(type);
  if (picture) downloads.save(picture, nameOf(pane, type));
}
