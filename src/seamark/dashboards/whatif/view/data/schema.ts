/** The schema of a set as it is now, and changes of it. */

import type { ColumnEntry, ColumnSchema, InfoResponse, Schema } from "../wire";

export const COLUMN_TYPES: readonly ColumnSchema["type"][] = ["number", "category", "boolean", "text", "image"];
export const ROLES: readonly NonNullable<ColumnSchema["role"]>[] = [
  "feature",
  "truth",
  "prediction",
  "id",
  "split",
  "weight",
  "group",
  "ignored",
];
export const TASKS: readonly { readonly value: NonNullable<Schema["task"]>; readonly title: string }[] = [
  { value: "binary", title: "two classes" },
  { value: "multiclass", title: "several classes" },
  { value: "regression", title: "a number" },
  { value: "ranking", title: "ranking" },
];

export function schemaOf({ columns, task, target, positive }: InfoResponse): Schema {
  return {
    columns: columns.map(({ name, type, role, model, predicted_class }) => ({
      name,
      type,
      role,
      model,
      predicted_class,
    })),
    task,
    target,
    positive,
  };
}

/** There is one truth: another column that was it becomes a feature. */
export function withColumn(schema: Schema, name: string, part: Partial<ColumnSchema>): Schema {
  const columns = schema.columns.map((column): ColumnSchema => {
    if (column.name === name) return { ...column, ...part };
    return part.role === "truth" && column.role === "truth" ? { ...column, role: "feature" } : column;
  });
  const truth = columns.find(({ role }) => role === "truth")?.name ?? "";
  if (part.role === undefined || truth === schema.target) return { ...schema, columns };
  // The positive class of the old truth is none of the new one's; the server chooses one.
  return { ...schema, columns, target: truth, positive: "" };
}

/** What a model that predicts this column does. */
export function taskOf({ type, names, minimum, maximum, is_whole }: ColumnEntry): NonNullable<Schema["task"]> {
  if (type === "boolean") return "binary";
  if (type !== "number") return names.length <= 2 ? "binary" : "multiclass";
  return is_whole && minimum === 0 && maximum === 1 ? "binary" : "regression";
}

export const withTarget = (schema: Schema, target: string, task: Schema["task"]): Schema => {
  if (target !== "") return { ...withColumn(schema, target, { role: "truth" }), ...(task && { task }) };
  const truth = schema.columns.find(({ role }) => role === "truth");
  return truth ? withColumn(schema, truth.name, { role: "feature" }) : { ...schema, target: "" };
};
