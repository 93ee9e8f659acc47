/** A selected item as text in the address: "point,run:alpha,tag:train/loss,step:12". */

import type { SelectedItem } from "../../public/core";
import { joinNames, splitNames } from "../runs/selection";

const FIELDS = ["run", "tag", "step", "id"] as const;

export function writeItem(item: SelectedItem): string {
  const fields = FIELDS.flatMap((field) => (item[field] === undefined ? [] : [`${field}:${item[field]}`]));
  return joinNames([item.type, ...fields]);
}

/** Null for a text that names nothing, such as one that was cut off. */
export function readItem(text: string | undefined): SelectedItem | null {
  const [type, ...rest] = splitNames(text ?? "");
  if (!type) return null;
  const fields = new Map(rest.map((part) => [part.slice(0, part.indexOf(":")), part.slice(part.indexOf(":") + 1)]));
  const step = Number(fields.get("step"));
  return {
    type,
    ...textField("run", fields),
    ...textField("tag", fields),
    ...textField("id", fields),
    ...(fields.has("step") && Number.isFinite(step) ? { step } : {}),
  };
}

function textField(name: "run" | "tag" | "id", fields: ReadonlyMap<string, string>): Partial<SelectedItem> {
  const value = fields.get(name);
  return value === undefined ? {} : { [name]: value };
}
