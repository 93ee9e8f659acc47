/** The totals of a model as values with words, for the header of the layers table. */

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

/** What is not known is left out. */
export function totalTexts(totals: Layers["totals"], format: Format): readonly TotalText[] {
  const { parameters, trainable, multiply_adds, bytes, time, is_per_example, is_partial } = totals;
  const which =
    trainable === parameters
      ? "parameters, all trainable"
      : trainable === 0
        ? "parameters, none trainable"
        : `parameters, ${format.count(trainable)} trainable`;
  const each = is_per_example ? " per example" : "";
  return [
    // A trace of operations names no weights, so their sizes are not known.
    parameters === 0
      ? { value: "no", words: "weights in this graph" }
      : { value: format.count(parameters), words: which },
    ...(multiply_adds === null
      ? []
      : [{ value: `${is_partial ? "at least " : ""}${format.short(multiply_adds)}`, words: `multiply-adds${each}` }]),
    ...(bytes === null ? [] : [{ value: format.bytes(bytes), words: `activations${each}` }]),
    ...(time === null ? [] : [{ value: format.microseconds(time), words: "compute time" }]),
  ];
}
