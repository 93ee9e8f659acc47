/** Groups of runs by columns, as `settings.groupBy` names them: "columns:param:lr,param:model". */

import { byName } from "../../base/tags";
import { parseColumnId, titleOf } from "../../data/column_id";
import type { TablePage } from "../../data/table";
import { cellWords } from "../../ui/grid/cell";

/** "lr 0.001 · adam": a number says what it is the number of, a word speaks for itself. */
export function groupLabel(ids: readonly string[], words: readonly string[], isWord: readonly boolean[]): string {
  const leaves = ids.map((id) =>
    parseColumnId(id).source === "param" ? titleOf(id).split(".").at(-1)! || titleOf(id) : titleOf(id),
  );
  return ids
    .map((id, index) => {
      const text = words[index] === "" ? "none" : words[index]!;
      const title = leaves.filter((leaf) => leaf === leaves[index]).length > 1 ? titleOf(id) : leaves[index]!;
      return isWord[index] && words[index] !== "" ? text : `${title} ${text}`;
    })
    .join(" · ");
}

export interface GroupMap {
  readonly groups: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, number>;
}

export function groupsOf(page: Pick<TablePage, "runs" | "columns">, ids: readonly string[]): GroupMap {
  const columns = ids.map((id) => page.columns.find((column) => column.id === id));
  const groups = new Map(
    page.runs.map((run, row) => {
      const words = columns.map((column) => (column ? cellWords(column.values[row], column.type) : ""));
      return [
        run,
        groupLabel(
          ids,
          words,
          columns.map((column) => column?.type === "text" && parseColumnId(column.id).source !== "metric"),
        ),
      ];
    }),
  );
  return { groups, places: placesOf([...groups.values()]) };
}

export const placesOf = (labels: readonly string[]): Map<string, number> =>
  new Map([...new Set(labels)].sort(byName).map((label, place) => [label, place]));
