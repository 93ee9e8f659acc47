/** Which group each run is in, by the columns that the address names; kept up to date. */

import { Resource } from "../../data/resource.svelte";
import { fetchTable } from "../../data/table";
import type { RunGroups } from "../../public/core";
import { columnsOf } from "../../data/column_id";
import { groupsOf, type GroupMap } from "./column_groups";

const PAUSE_MS = 1000;
const NONE: GroupMap = { groups: new Map(), places: new Map() };

export class ColumnGroups implements RunGroups {
  #groupBy = "";
  readonly #response: Resource<string, GroupMap> = new Resource(
    async (groupBy, signal) => {
      const ids = columnsOf(groupBy);
      const map = groupsOf(await fetchTable({ columns: ids, archived: "show" }, signal), ids);
      // The same groups draw no chart again.
      const before = this.#response.value;
      return before && isSame(map, before) ? before : map;
    },
    { pauseMs: PAUSE_MS },
  );
  readonly #map = $derived.by((): GroupMap => this.#response.value ?? NONE);

  get error(): string {
    return this.#response.error;
  }

  load(groupBy: string, revision: string): void {
    if (groupBy !== this.#groupBy) this.#response.reset();
    this.#groupBy = groupBy;
    if (columnsOf(groupBy).length > 0) this.#response.load(groupBy, revision);
  }

  groupOf(run: string): string | undefined {
    return this.#map.groups.get(run);
  }

  placeOf(group: string): number {
    return this.#map.places.get(group) ?? 0;
  }
}

const isSame = (a: GroupMap, b: GroupMap): boolean => [...a.groups].join("\n") === [...b.groups].join("\n");
