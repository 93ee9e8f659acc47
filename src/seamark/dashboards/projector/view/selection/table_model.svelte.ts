/** TableModel: which rows the table shows, and in which order. Made while a component is. */

import { SvelteMap } from "svelte/reactivity";
import { messageOf, Resource } from "$public/core";
import type { GridColumn, SortTerm } from "$public/tables";
import type { ProjectorModel } from "../projector_model.svelte";
import type { EmbeddingInfo, EmbeddingRef, Metric, ProjectionRequest } from "../wire";
import { categoryKeys, orderedRows, textKeys, type OrderTerm } from "./row_order";
import { RowSource, type RowTexts } from "./row_source.svelte";

export type TableSubject = "selected" | "found" | "visible";
/** Texts of so many rows are requested at once, at most: longer tables are not sorted by them. */
const MAX_TEXT_ROWS = 20_000;
const PREFIX = "column:";

interface KeysRequest {
  readonly ref: EmbeddingRef;
  readonly columns: readonly string[];
  /** Only for columns of texts. */
  readonly rows: Uint32Array | null;
}

export class TableModel {
  sort = $state.raw<readonly SortTerm[]>([]);
  #chosen = $state<TableSubject>("selected");
  #failure = $state("");
  readonly #distances: Resource<ProjectionRequest & { readonly row: number; readonly distance: Metric }, Float32Array>;
  readonly #keys: Resource<KeysRequest, ReadonlyMap<string, ArrayLike<number>>>;

  constructor(private readonly model: ProjectorModel) {
    this.#keys = new Resource((request, signal) => this.#loadKeys(request, signal), {
      keyOf: ({ ref, columns, rows }) => JSON.stringify([ref, columns, rows && [rows.length, this.#versionOf(rows)]]),
    });
    $effect(() => {
      const columns = this.sort.map(({ id }) => id).filter((id) => id.startsWith(PREFIX));
      const { ref } = model.a;
      const rows = columns.some((id) => this.#typeOf(id) === "text") ? this.rows : null;
      if (ref && columns.length > 0) this.#keys.load({ ref, columns, rows });
    });
    this.#distances = new Resource((request, signal) => model.requests.distances(request, signal));
    $effect(() => {
      const { inspected: row, distance, a } = model;
      if (a.request && row !== null) this.#distances.load({ ...a.request, row, distance });
    });
    $effect(() => () => {
      this.#keys.close();
      this.#distances.close();
    });
  }

  // Which rows

  /** What there is to show, and how many rows. */
  readonly subjects = $derived.by((): readonly { readonly subject: TableSubject; readonly count: number }[] => {
    const { selected, found } = this.model;
    return [
      ...(selected.length > 0 ? [{ subject: "selected", count: selected.length } as const] : []),
      ...(found ? [{ subject: "found", count: found.length } as const] : []),
      { subject: "visible", count: this.#visible.length },
    ];
  });
  readonly subject = $derived.by(
    () => (this.subjects.find(({ subject }) => subject === this.#chosen) ?? this.subjects[0]!).subject,
  );
  readonly #visible = $derived.by((): Uint32Array => {
    const { visible, a } = this.model;
    const total = a.info?.rows ?? 0;
    if (!visible) return Uint32Array.from({ length: total }, (_, row) => row);
    return Uint32Array.from({ length: total }, (_, row) => row).filter((row) => visible[row] === 1);
  });
  /** In the order of the embedding. */
  readonly rows = $derived.by((): Uint32Array => {
    const { subject, model } = this;
    if (subject === "selected") return model.selected.toSorted();
    return subject === "found" ? (model.found ?? new Uint32Array()) : this.#visible;
  });

  choose(subject: TableSubject): void {
    this.#chosen = subject;
  }

  // In which order

  /** By row: from the inspected point; null without one. */
  readonly distances = $derived.by((): Float32Array | null => {
    const { loaded } = this.#distances;
    const isOfPoint = loaded?.request.row === this.model.inspected && loaded?.value.length === this.model.a.info?.rows;
    return this.model.inspected !== null && isOfPoint ? (loaded?.value ?? null) : null;
  });
  readonly #terms = $derived.by((): readonly OrderTerm[] => {
    const loaded = this.#keys.value;
    return this.sort.flatMap(({ id, descending }) => {
      const keys = id === "row" ? this.#rowNumbers : id === "distance" ? this.distances : loaded?.get(id);
      return keys ? [{ keys, descending }] : [];
    });
  });
  readonly #rowNumbers = $derived.by(() => Uint32Array.from({ length: this.model.a.info?.rows ?? 0 }, (_, row) => row));
  readonly ordered = $derived.by(() => orderedRows(this.rows, this.#terms));

  readonly #embedding = $derived.by(() => JSON.stringify(this.model.a.ref));
  readonly #texts = $derived.by((): RowTexts => {
    void this.#embedding;
    return new SvelteMap();
  });
  readonly source = $derived.by((): RowSource | null => {
    const { ref, info } = this.model.a;
    const { ordered: rows } = this;
    if (!ref || !info) return null;
    return new RowSource(
      { ref, info, rows, distances: () => this.distances, texts: this.#texts },
      this.model.requests,
      (failure) => {
        this.#failure = messageOf(failure);
      },
    );
  });
  readonly error = $derived.by(() => this.#keys.error || this.#distances.error || this.#failure);

  // Columns

  readonly columns = $derived.by((): { readonly first: GridColumn; readonly others: readonly GridColumn[] } => {
    const { info, labelColumnName } = this.model.a;
    const label = info?.columns.find(({ name }) => name === labelColumnName);
    const row: GridColumn = { id: "row", title: "Row", type: "number", widthPx: 88 };
    const distance: GridColumn = {
      id: "distance",
      title: "Distance",
      hint: `From the inspected point, ${this.model.distance}`,
      type: "number",
      widthPx: 96,
      isMeasured: true,
    };
    const rest = (info?.columns ?? []).filter(({ name }) => name !== label?.name);
    return {
      first: label ? { ...this.#gridColumn(label), widthPx: 180 } : row,
      others: [
        ...(label ? [row] : []),
        ...(this.distances ? [distance] : []),
        ...rest.map((column) => this.#gridColumn(column)),
      ],
    };
  });

  #gridColumn({ name, type }: EmbeddingInfo["columns"][number]): GridColumn {
    return {
      id: PREFIX + name,
      title: name,
      type: type === "number" ? "number" : "text",
      widthPx: type === "number" ? 96 : 140,
      isElastic: true,
      sortable: type !== "text" || this.rows.length <= MAX_TEXT_ROWS,
    };
  }

  #typeOf(id: string): string | undefined {
    return this.model.a.info?.columns.find(({ name }) => PREFIX + name === id)?.type;
  }

  /** Lists of rows are compared by identity. */
  readonly #versions = new WeakMap<Uint32Array, number>();
  #lastVersion = 0;
  #versionOf(rows: Uint32Array): number {
    const version = this.#versions.get(rows) ?? (this.#lastVersion += 1);
    this.#versions.set(rows, version);
    return version;
  }

  async #loadKeys({ ref, columns, rows }: KeysRequest, signal: AbortSignal): Promise<Map<string, ArrayLike<number>>> {
    const { requests } = this.model;
    const total = this.model.a.info?.rows ?? 0;
    const keysOf = async (id: string): Promise<ArrayLike<number>> => {
      const name = id.slice(PREFIX.length);
      if (this.#typeOf(id) === "text") {
        const some = rows?.subarray(0, MAX_TEXT_ROWS) ?? new Uint32Array();
        const { values } = await requests.texts(ref, [...some], [name], signal);
        return textKeys(some, values.map(([text]) => text ?? ""), total); // prettier-ignore
      }
      const { type, values, names } = await requests.column(ref, name, signal);
      return type === "number" ? values : categoryKeys(values, names);
    };
    return new Map(await Promise.all(columns.map(async (id) => [id, await keysOf(id)] as const)));
  }
}
