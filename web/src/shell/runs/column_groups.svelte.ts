/** Which group each run is in, by the columns that the address names; kept fresh. */

import { messageOf } from "../../base/errors";
import { LatestOnly } from "../../data/latest_only";
import { fetchTable } from "../../data/table";
import type { RunGroups } from "../../public/core";
import { columnsOf } from "../../data/column_id";
import { groupsOf, type GroupMap } from "./column_groups";

const PAUSE_MS = 1000;
const NONE: GroupMap = { groups: new Map(), places: new Map() };

export class ColumnGroups implements RunGroups {
  error = $state("");
  #map = $state.raw<GroupMap>(NONE);
  #text = "";
  #groupBy = "";
  #revision = "";
  readonly #fetch = new LatestOnly<string>(async (groupBy) => {
    const ids = columnsOf(groupBy);
    try {
      const page = await fetchTable({ columns: ids, archived: "show" });
      if (groupBy !== this.#groupBy) return;
      const map = groupsOf(page, ids);
      // The same groups again draw no chart anew.
      const text = [...map.groups].join("\n");
      if (text !== this.#text) [this.#text, this.#map] = [text, map];
      this.error = "";
    } catch (failure) {
      if (groupBy === this.#groupBy) this.error = messageOf(failure);
    }
  }, PAUSE_MS);

  ask(groupBy: string, revision: string): void {
    if (groupBy === this.#groupBy && revision === this.#revision) return;
    if (groupBy !== this.#groupBy) [this.#map, this.#text, this.error] = [NONE, "", ""];
    [this.#groupBy, this.#revision] = [groupBy, revision];
    if (columnsOf(groupBy).length > 0) this.#fetch.run(groupBy);
  }

  groupOf(run: string): string | undefined {
    return this.#map.groups.get(run);
  }

  placeOf(group: string): number {
    return this.#map.places.get(group) ?? 0;
  }
}
