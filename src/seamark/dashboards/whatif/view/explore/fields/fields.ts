/** Fields: what can be along x and y, give colour and size, and split the facets. Computed ones begin with "=". */

import type { ColumnEntry, InfoResponse } from "../../wire";

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly isNumber: boolean;
}

export const TRUTH = "=truth";
export const SCORE = "=score";
export const SCORE_OF = "=score:";
export const NONE = "";

/** A text with more distinct values than this is no axis: each row would have a place of its own. */
const MAX_TEXT_VALUES = 200;
const isField = ({ type, distinct, role }: ColumnEntry): boolean =>
  role !== "ignored" && (type === "text" || type === "image" ? distinct > 0 && distinct <= MAX_TEXT_VALUES : true);

/** What there is to choose from; `hasModelB` and `hasRow` add the difference of two models and the distance from a row. */
export function fieldsOf(
  info: InfoResponse,
  { hasModel, hasModelB, hasRow }: { hasModel: boolean; hasModelB: boolean; hasRow: boolean },
): readonly Field[] {
  const columns = info.columns.filter((column) => isField(column) && column.role !== "prediction");
  const stored = info.columns.filter((column) => isField(column) && column.role === "prediction");
  return [
    ...columns.map(({ name, type }) => ({ id: name, label: name, isNumber: type === "number" })),
    ...(hasModel ? predictedFields(info) : []),
    ...(hasModelB ? [{ id: "=difference", label: "difference of models", isNumber: true }] : []),
    ...(hasRow ? [{ id: "=distance", label: "distance", isNumber: true }] : []),
    ...(info.target ? [{ id: TRUTH, label: "truth", isNumber: isScored(info) }] : []),
    ...stored.map(({ name, type }) => ({ id: name, label: name, isNumber: type === "number" })),
  ];
}

const isScored = ({ task }: InfoResponse): boolean => task === "regression" || task === "ranking";

function predictedFields(info: InfoResponse): readonly Field[] {
  const hasTruth = info.target !== "";
  // The scores of a ranking have no unit, so their differences from the truth mean nothing.
  const hasError = hasTruth && info.task !== "ranking";
  const error = hasError ? [{ id: "=error", label: "error", isNumber: isScored(info) }] : [];
  if (isScored(info)) return [{ id: SCORE, label: scoreLabel(info), isNumber: true }, ...error];
  const scores =
    info.task === "binary"
      ? [{ id: SCORE, label: scoreLabel(info), isNumber: true }]
      : info.classes.map((name) => ({ id: SCORE_OF + name, label: `P(${name})`, isNumber: true }));
  const correct = hasTruth ? [{ id: "=correct", label: "correct", isNumber: false }] : [];
  return [...scores, { id: "=predicted", label: "predicted", isNumber: false }, ...error, ...correct];
}

/** "P(> 50k)" for a class, "prediction" for a number. */
export function scoreLabel({ task, positive }: InfoResponse): string {
  if (task === "regression") return "prediction";
  return task === "ranking" || positive === "" ? "score" : `P(${positive})`;
}

export interface FieldChoice {
  readonly x: string;
  readonly y: string;
  readonly colour: string;
  readonly size: string;
  readonly facet: string;
}

/** What is shown before a person chooses: a feature against the prediction, coloured by the truth. */
export function defaultChoice(info: InfoResponse, fields: readonly Field[]): FieldChoice {
  const features = info.columns.filter((column) => column.role === "feature" && isField(column));
  const numbers = features.filter(({ type }) => type === "number");
  const has = (id: string): boolean => fields.some((field) => field.id === id);
  const x = numbers[0]?.name ?? features[0]?.name ?? fields[0]?.id ?? NONE;
  const score = fields.find(({ id }) => id === SCORE || id.startsWith(SCORE_OF))?.id;
  const y = score ?? numbers[1]?.name ?? features.find(({ name }) => name !== x)?.name ?? x;
  const preferred = info.task === "regression" ? ["=error"] : [TRUTH, "=predicted"];
  const colour = preferred.find(has) ?? NONE;
  return { x, y, colour, size: NONE, facet: NONE };
}
