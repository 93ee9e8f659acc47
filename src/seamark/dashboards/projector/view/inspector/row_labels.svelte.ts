/** RowLabels: the labels of some rows, as the label column has them. */

import { format, Resource } from "$public/core";
import type { PaneModel } from "../pane_model.svelte";
import type { EmbeddingRef } from "../wire";

interface LabelsRequest {
  readonly ref: EmbeddingRef;
  readonly column: string;
  readonly rows: readonly number[];
}

export class RowLabels {
  readonly #labels: Resource<LabelsRequest, ReadonlyMap<number, string>>;

  constructor(pane: () => PaneModel, rows: () => readonly number[]) {
    this.#labels = new Resource(async ({ ref, column, rows: wanted }, signal) => {
      const { values } = await pane().model.requests.texts(ref, wanted, [column], signal);
      return new Map(wanted.map((row, at) => [row, values[at]?.[0] ?? ""]));
    });
    $effect(() => {
      const { ref, labelColumnName: column } = pane();
      if (ref && column && rows().length > 0) this.#labels.load({ ref, column, rows: rows() });
    });
  }

  /** The number of the row until its label is there, and if it has none. */
  of(row: number): string {
    return this.#labels.value?.get(row) || `row ${format.count(row)}`;
  }
}
