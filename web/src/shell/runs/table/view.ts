/** What the full table shows: which columns, how wide and how drawn, in which order, grouped by what. CachedSeries in the address, and under names on the server. */

import {
  COUNTED_POINTS,
  escapeId,
  infoOf,
  metricId,
  parseColumnId,
  splitIds,
  STAT_WORDS,
  titleOf,
  typeOf,
  unescapeId,
} from "../../../data/column_id";
import { isMachineTag } from "../../../base/tags";
import { differs, varies } from "../../../data/column_choice";
import type { Cell, ColumnInfo, ObjectiveChoice } from "../../../data/table";
import type { GridColumn } from "../../../ui/grid/grid";

export type Look = NonNullable<GridColumn["look"]>;

export interface ViewColumn {
  readonly id: string;
  readonly widthPx?: number;
  readonly look?: Look;
}

export interface TableView {
  /** null: the columns that tell runs apart, as they come. */
  readonly columns: readonly ViewColumn[] | null;
  /** "-metric:val/loss:min" */
  readonly sort: readonly string[];
  readonly groupBy: readonly string[];
  readonly baseline: readonly Cell[] | null;
  readonly query: string;
}

export const EMPTY_VIEW: TableView = { columns: null, sort: [], groupBy: [], baseline: null, query: "" };

export type Columns = ReadonlyMap<string, ColumnInfo>;

const LOOKS: readonly Look[] = ["plain", "bar", "colour"];

/** "param:lr~120~bar,metric:loss:min" */
export function writeColumns(columns: readonly ViewColumn[] | null): string | undefined {
  return columns
    ?.map(({ id, widthPx, look }) => [escapeId(id), widthPx, look].filter((part) => part !== undefined).join("~"))
    .join(",");
}

export function readColumns(text: string | undefined): ViewColumn[] | null {
  if (text === undefined) return null;
  return splitIds(text, ",").map((item) => {
    const [id = "", ...parts] = splitIds(item, "~").map(unescapeId);
    const widthPx = parts.map(Number).find((part) => part > 0);
    const look = LOOKS.find((known) => parts.includes(known));
    return { id, ...(widthPx === undefined ? {} : { widthPx }), ...(look === undefined ? {} : { look }) };
  });
}

const MAX_PARAMS = 12;
const MAX_METRICS = 6;
const FIELDS_FIRST = ["run:status"];
const FIELDS_LAST = ["run:tags", "run:started", "run:duration", "run:notes"];

/** Results first: the status, the objective and other metrics, then parameters that differ, then a little about each run. */
export function standardColumns(
  columns: Columns,
  runs: number,
  { objective, candidates, ranked }: Pick<ObjectiveChoice, "objective" | "candidates" | "ranked">,
): ViewColumn[] {
  const all = [...columns.values()];
  const params = all
    .filter((column) => column.source === "param" && varies(column, runs))
    .sort((a, b) => Number(differs(b)) - Number(differs(a)) || b.runs - a.runs)
    .slice(0, MAX_PARAMS);
  const places = new Map(ranked.map((tag, place) => [tag, place]));
  const placeOf = ({ name }: ColumnInfo): number => places.get(name) ?? ranked.length;
  const metrics = all
    .filter(({ source, name }) => source === "metric" && !isMachineTag(name))
    .sort((a, b) => placeOf(a) - placeOf(b) || b.runs - a.runs)
    .map(({ name }) => metricId(name, "last"));
  const sought = [...(objective ? [objective] : candidates)].map(({ id }) => id);
  const results = [...new Set([...sought, ...metrics])].slice(0, MAX_METRICS);
  const machine = all.filter(({ source, name }) => source === "metric" && isMachineTag(name));
  const ids = [
    ...FIELDS_FIRST,
    ...results,
    ...params.map(({ id }) => id),
    ...FIELDS_LAST,
    ...machine.map(({ name }) => metricId(name, "last")).slice(0, MAX_METRICS - results.length),
  ];
  return ids.filter((id) => infoOf(columns, id) !== undefined).map((id) => ({ id }));
}

/** Columns that are gone are left out: a saved view outlives its runs. */
export function present(columns: Columns, wanted: readonly ViewColumn[]): ViewColumn[] {
  const seen = new Set<string>();
  return wanted.filter(
    ({ id }) => infoOf(columns, id) !== undefined && id !== "run:name" && !seen.has(id) && seen.add(id),
  );
}

const WIDTHS: Readonly<Record<string, number>> = {
  number: 96,
  bool: 72,
  time: 120,
  duration: 88,
  text: 128,
  list: 128,
};
const OWN_WIDTHS: Readonly<Record<string, number>> = {
  "run:notes": 220,
  "run:tags": 160,
  "run:status": 96,
  "run:commit": 88,
  "run:command": 240,
};

export function gridColumn(columns: Columns, { id, widthPx, look }: ViewColumn): GridColumn {
  const { source, name, stat } = parseColumnId(id);
  const type = typeOf(columns, id);
  const title = titleOf(id);
  const isMeasure = source === "metric" && stat !== "count" && !stat?.endsWith("_step");
  return {
    id,
    title,
    hint: `${source === "run" ? "" : `${source} `}${title}${source === "metric" && stat ? `\n${STAT_WORDS[stat]}; ${COUNTED_POINTS}` : ""}`,
    type,
    look: look ?? (isMeasure && !isMachineTag(name) ? "colour" : "plain"),
    isMeasured: isMeasure,
    widthPx: widthPx ?? OWN_WIDTHS[id] ?? Math.min(220, Math.max(WIDTHS[type] ?? 96, 28 + title.length * 6.4)),
  };
}

/** A view as it was saved by some version of the page: whatever it holds, it gives a view. */
export function readView(saved: unknown): TableView | null {
  if (typeof saved !== "object" || saved === null || (saved as { for?: unknown }).for !== "runs") return null;
  const { columns, sort, groupBy, baseline, query } = saved as Record<string, unknown>;
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
  return {
    columns: typeof columns === "string" ? readColumns(columns) : null,
    sort: texts(sort),
    groupBy: texts(groupBy),
    baseline: Array.isArray(baseline) ? (baseline as Cell[]) : null,
    query: typeof query === "string" ? query : "",
  };
}

export const writeView = (view: TableView): Record<string, unknown> => ({
  for: "runs",
  ...view,
  columns: writeColumns(view.columns) ?? null,
});

export const sameView = (a: TableView, b: TableView): boolean =>
  JSON.stringify(writeView(a)) === JSON.stringify(writeView(b));
