/** The totals of a model as values with words, for the header of the layers table. */

import { partWords } from "../../partial";
import type { Layers } from "../../wire";

interface Format {
  count(value: number): string;
  short(value: number): string;
  bytes(value: number): string;
  microseconds(value: number): string;
}

export interface TotalText {
  readonly value: string;
  readonly words: string;
}

/** Costs of which nothing is known are left out. */
export function totalTexts(totals: Layers["totals"], format: Format): readonly TotalText[] {
  const { parameters, trainable, has_unknown_parameters, multiply_adds, bytes, time, is_per_example, is_partial } =
    totals;
  const which = has_unknown_parameters
    ? "parameters"
    : trainable === parameters
      ? "parameters, all trainable"
      : trainable === 0
        ? "parameters, none trainable"
        : `parameters, ${format.count(trainable)} trainable`;
  const each = is_per_example ? " per example" : "";
  return [
    parameters === 0
      ? { value: "no", words: "parameters" }
      : { value: partWords(parameters, has_unknown_parameters, format.count), words: which },
    ...(multiply_adds === null
      ? []
      : [{ value: `${is_partial ? "at least " : ""}${format.short(multiply_adds)}`, words: `multiply-adds${each}` }]),
    ...(bytes === null ? [] : [{ value: format.bytes(bytes), words: `activations${each}` }]),
    ...(time === null ? [] : [{ value: format.microseconds(time), words: "compute time" }]),
  ];
}
