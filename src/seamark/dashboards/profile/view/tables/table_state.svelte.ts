/** TableState: the order, the filter and the open rows of a table, in the address. */

import type { SortTerm } from "$public/tables";
import type { DashboardContext } from "$public/core";

export interface TableDefaults {
  /** Prefix of its parameters in the address: "operators". */
  readonly name: string;
  /** The order until a person chooses another one. */
  readonly sort: () => readonly SortTerm[];
}

/** More open rows than this are not in the address. */
const MAX_OPEN_IN_ADDRESS = 200;

export class TableState {
  constructor(
    private readonly url: DashboardContext["url"],
    private readonly defaults: TableDefaults,
  ) {}

  readonly sort = $derived.by((): readonly SortTerm[] => {
    const text = this.get("sort");
    if (text === undefined) return this.defaults.sort();
    return text
      .split(",")
      .filter((term) => term !== "" && term !== "-")
      .map((term) => ({ id: term.replace(/^-/, ""), descending: term.startsWith("-") }));
  });

  setSort(sort: readonly SortTerm[]): void {
    const text = (terms: readonly SortTerm[]): string =>
      terms.map(({ id, descending }) => (descending ? `-${id}` : id)).join(",");
    const isDefault = text(sort) === text(this.defaults.sort());
    this.set("sort", isDefault ? undefined : text(sort) || "-");
  }

  get filter(): string {
    return this.get("filter") ?? "";
  }

  set filter(text: string) {
    this.set("filter", text || undefined);
  }

  /** Null: nobody has opened or closed a row yet. */
  readonly open = $derived.by((): ReadonlySet<number> | null => {
    const text = this.get("open");
    if (text === undefined) return this.#manyOpen;
    return new Set(text.split(".").filter((part) => /^\d+$/.test(part)).map(Number)); // prettier-ignore
  });
  #manyOpen = $state.raw<ReadonlySet<number> | null>(null);

  setOpen(open: ReadonlySet<number>): void {
    this.#manyOpen = open;
    this.set("open", open.size > MAX_OPEN_IN_ADDRESS ? undefined : [...open].join(".") || "-");
  }

  /** Another choice of the same table, such as its grouping. */
  get(name: string): string | undefined {
    return this.url.get(`${this.defaults.name}_${name}`);
  }

  set(name: string, value: string | undefined): void {
    this.url.set(`${this.defaults.name}_${name}`, value);
  }
}
