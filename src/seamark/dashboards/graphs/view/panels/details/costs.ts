/** What a box costs, as names and values for people. */

import { partWords } from "../../partial";
import type { BoxDetails } from "../../wire";

interface Format {
  count(value: number): string;
  short(value: number): string;
  bytes(value: number): string;
  microseconds(value: number): string;
}

export interface Cost {
  readonly name: string;
  readonly value: string;
}

/** What does not apply is left out. The bytes of a group would include its weights; the layers table has them without. */
export function costsOf(
  details: Pick<
    BoxDetails,
    "type" | "multiply_adds" | "has_unknown_multiply_adds" | "output_bytes" | "output_shapes" | "time" | "memory"
  >,
  format: Format,
): readonly Cost[] {
  const { type, multiply_adds, has_unknown_multiply_adds, output_bytes, output_shapes } = details;
  const hasAdds = multiply_adds === null ? has_unknown_multiply_adds : multiply_adds > 0;
  const shapes = output_shapes.filter((shape) => shape !== "");
  return [
    ...(details.time === null ? [] : [{ name: "time", value: format.microseconds(details.time) }]),
    ...(details.memory === null ? [] : [{ name: "memory", value: format.bytes(details.memory) }]),
    ...(hasAdds
      ? [{ name: "multiply-adds", value: partWords(multiply_adds, has_unknown_multiply_adds, format.short) }]
      : []),
    ...(type === "op" && output_bytes ? [{ name: "output", value: format.bytes(output_bytes) }] : []),
    ...(shapes.length > 0 ? [{ name: shapes.length > 1 ? "shapes" : "shape", value: shapes.join(", ") }] : []),
  ];
}
