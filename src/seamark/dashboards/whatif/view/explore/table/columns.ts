/** The columns of Explore's table: the row, what was predicted, then all others. */

import type { GridColumn } from "$public/tables";
import type { ColumnEntry, InfoResponse } from "../../wire";
import { SCORE, scoreLabel } from "../fields/fields";

const TYPES: Readonly<Record<ColumnEntry["type"], GridColumn["type"]>> = {
  number: "number",
  category: "text",
  boolean: "bool",
  text: "text",
  image: "text",
};
const WIDTHS: Readonly<Record<ColumnEntry["type"], number>> = {
  number: 84,
  category: 120,
  boolean: 76,
  text: 240,
  image: 96,
};

export const ROW_COLUMN: GridColumn = { id: "row", title: "Row", type: "number", widthPx: 72 };

export function tableColumns(info: InfoResponse, hasModel: boolean): readonly GridColumn[] {
  const isShown = ({ role }: ColumnEntry): boolean => role !== "ignored" && role !== "prediction";
  const entries = info.columns.filter(isShown);
  const truth = entries.filter(({ role }) => role === "truth");
  const others = entries.filter(({ role }) => role !== "truth");
  return [...(hasModel ? predictedColumns(info) : []), ...truth.map(gridColumn), ...others.map(gridColumn)];
}

const gridColumn = ({ name, type }: ColumnEntry): GridColumn => ({
  id: name,
  title: name,
  type: TYPES[type],
  widthPx: WIDTHS[type],
  sortable: type !== "image",
  isElastic: type === "text",
});

function predictedColumns(info: InfoResponse): readonly GridColumn[] {
  const isNumber = info.task === "regression" || info.task === "ranking";
  const score: GridColumn = { id: SCORE, title: scoreLabel(info), type: "number", widthPx: 92, isMeasured: true };
  const predicted: GridColumn = { id: "=predicted", title: "predicted", type: "text", widthPx: 96 };
  const error: GridColumn = isNumber
    ? { id: "=error", title: "error", type: "number", widthPx: 84, isMeasured: true }
    : { id: "=correct", title: "correct", type: "text", widthPx: 76 };
  return [
    ...(info.task === "multiclass" ? [] : [score]),
    ...(isNumber ? [] : [predicted]),
    ...(info.target === "" ? [] : [error]),
  ];
}
